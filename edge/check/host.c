/* The host: a plain program. It has neither a clock nor a stack worth measuring. */
#include <stdio.h>

#include "check.h"

void put_char(char c)
{
    (void)putchar(c);
}

uint32_t clock_now(void)
{
    return 0U;
}

uint32_t clock_since(uint32_t begin)
{
    return begin;
}

void stack_mark(void)
{
}

uint32_t stack_used(void)
{
    return 0U;
}

int main(void)
{
    check_all();
    return 0;
}
