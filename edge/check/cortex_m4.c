/* A Cortex-M4F under qemu (machine mps2-an386): semihosting out, SysTick counts virtual time, which
 * with -icount is the number of instructions. */
#include "check.h"

#define CPACR (*(volatile uint32_t *)0xE000ED88UL)
#define SYST_CSR (*(volatile uint32_t *)0xE000E010UL)
#define SYST_RVR (*(volatile uint32_t *)0xE000E014UL)
#define SYST_CVR (*(volatile uint32_t *)0xE000E018UL)

#define SYS_WRITEC 0x03
#define SYS_EXIT 0x18
#define APPLICATION_EXIT 0x20026
#define UNTOUCHED 0xC5C5C5C5UL
#define MARKED 8192U /* bytes */

extern uint32_t stack_top, data_start, data_end, data_stored, bss_start, bss_end;

static uint32_t marked_from; /* an address */

static void semihost(int operation, const void *argument)
{
    register int r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
}

void put_char(char c)
{
    semihost(SYS_WRITEC, &c);
}

uint32_t clock_now(void)
{
    return SYST_CVR;
}

uint32_t clock_since(uint32_t begin)
{
    return (begin - SYST_CVR) & 0xFFFFFFUL; /* it counts down, in 24 bits */
}

void stack_mark(void)
{
    uint32_t i;
    __asm__ volatile("mov %0, sp" : "=r"(marked_from));
    for (i = 16U; i < MARKED; i += 4U) {
        *(volatile uint32_t *)(marked_from - i) = UNTOUCHED;
    }
}

uint32_t stack_used(void)
{
    uint32_t i = MARKED - 4U;
    while ((i > 16U) && (*(volatile uint32_t *)(marked_from - i) == UNTOUCHED)) {
        i -= 4U;
    }
    return i;
}

void reset(void);
void reset(void)
{
    uint32_t *from = &data_stored, *to;
    CPACR |= 0xFUL << 20; /* the floating point unit */
    __asm__ volatile("dsb\n isb");
    for (to = &data_start; to < &data_end; to++) {
        *to = *from++;
    }
    for (to = &bss_start; to < &bss_end; to++) {
        *to = 0U;
    }
    SYST_RVR = 0xFFFFFFUL;
    SYST_CVR = 0U;
    SYST_CSR = 5U; /* processor clock, no interrupt */
    check_all();
    semihost(SYS_EXIT, (const void *)APPLICATION_EXIT);
    for (;;) {
    }
}

static void fault(void)
{
    put_char('!'); /* no line of the report ends like this */
    semihost(SYS_EXIT, (const void *)0);
    for (;;) {
    }
}

__attribute__((section(".vectors"), used)) static const struct {
    uint32_t *stack;
    void (*handlers[15])(void);
} vectors = {&stack_top, {reset, fault, fault, fault, fault, fault}};
