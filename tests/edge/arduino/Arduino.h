/* As much of an Arduino as the examples need, on the host: samples come from standard input. */
#pragma once
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { A0 = 14, OUTPUT = 1, HIGH = 1, LOW = 0 };

static unsigned long clock_us;
static long sample;

static inline unsigned long micros() { return clock_us; }
static inline void pinMode(int, int) {}
static inline void digitalWrite(int pin, int level)
{
    printf("pin %d %d at %ld\n", pin, level, sample);
}

/* One line of input per reading; after the last one, what the sketch knows. */
extern void at_the_end();
static inline int analogRead(int)
{
    int counts;
    if (scanf("%d", &counts) != 1) {
        at_the_end();
        exit(0);
    }
    sample++;
    return counts;
}

struct {
    void begin(long) {}
    void print(const char *text) { printf("%s", text); }
    void println(const char *text) { printf("%s\n", text); }
} Serial;
