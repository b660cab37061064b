/* An ATmega328P at 16 MHz (Arduino Uno) under simavr: UART out, timer 1 counts clock cycles. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>

#include "check.h"

#define UNTOUCHED 0xC5U

extern uint8_t __heap_start; /* first byte of RAM above the program's data; there is no heap */

static volatile uint16_t overflows;
static uint8_t *marked_from;

ISR(TIMER1_OVF_vect)
{
    overflows++;
}

uint32_t clock_now(void)
{
    uint16_t high, low;
    cli();
    low = TCNT1;
    high = overflows;
    if (((TIFR1 & _BV(TOV1)) != 0U) && (low < 0x8000U)) {
        high++;
    }
    sei();
    return ((uint32_t)high << 16) | low;
}

uint32_t clock_since(uint32_t begin)
{
    return clock_now() - begin;
}

void put_char(char c)
{
    while ((UCSR0A & _BV(UDRE0)) == 0U) {
    }
    UDR0 = (uint8_t)c;
}

void stack_mark(void)
{
    uint8_t *p;
    marked_from = (uint8_t *)SP;
    for (p = &__heap_start; p < marked_from - 16; p++) {
        *p = UNTOUCHED;
    }
}

uint32_t stack_used(void)
{
    const uint8_t *p = &__heap_start;
    while ((p < marked_from) && (*p == UNTOUCHED)) {
        p++;
    }
    return (uint32_t)(marked_from - p);
}

int main(void)
{
    UCSR0B = _BV(TXEN0);
    TIMSK1 = _BV(TOIE1);
    TCCR1B = _BV(CS10);
    sei();
    check_all();
    cli();
    sleep_mode(); /* with interrupts off: simavr ends here */
    return 0;
}
