/* What the checks need from the machine they run on. */
#ifndef ROCKSTEADY_CHECK_H
#define ROCKSTEADY_CHECK_H

#include <stdint.h>

#include "../rocksteady.h"

typedef rocksteady_real real;

#ifdef __AVR__
#include <avr/pgmspace.h>
#define STORED PROGMEM /* in flash: 2 KiB of RAM hold no test vectors */
#define STORED_REAL(p) ((real)pgm_read_float(p))
#else
#define STORED
#define STORED_REAL(p) (*(p))
#endif

void put_char(char c);

/* A clock, and what has passed since it showed `begin`: clock cycles (AVR), ticks of SysTick
 * (Cortex-M4), nothing (host). */
uint32_t clock_now(void);
uint32_t clock_since(uint32_t begin);

/* Mark the free stack; how many bytes of it were used since. */
void stack_mark(void);
uint32_t stack_used(void);

/* Run all checks, write the findings as lines "name value"; the value is hexadecimal, an integer
 * or the bits of a 32-bit float. */
void check_all(void);

#endif
