/* The smallest program with one kernel in it, to see how much flash and RAM that takes. */
#include "../rocksteady.h"

void reset(void);

#if defined(KERNEL_HOUSNER)
static void use(void)
{
    static housner_state state;
    static housner_params params;
    static rocksteady_extremes extremes;
    const volatile rocksteady_ground ground = {0, 0};
    (void)housner_rectangle(&params, 2, 1, 1, 0, 9);
    (void)housner_interval(&state, &params, ground, ground, 1, &extremes);
}
#elif defined(KERNEL_MASONRY)
static void use(void)
{
    static masonry_state state;
    static masonry_params params;
    static rocksteady_extremes extremes;
    const volatile rocksteady_ground ground = {0, 0};
    (void)masonry_check(&params);
    (void)masonry_interval(&state, &params, ground, ground, 1, &extremes);
}
#else
static void use(void)
{
}
#endif

void reset(void) /* where a Cortex-M4 starts */
{
    use();
}

int main(void)
{
    use();
    return 0;
}
