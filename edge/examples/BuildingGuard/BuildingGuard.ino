/* A masonry building watched by an Arduino Uno and an analogue accelerometer (ADXL335) on its
 * ground floor: every sample advances the building's model, and an alarm goes on when the wear of
 * its interface, or its drift, has passed a threshold. The alarm stays on: wear does not heal.
 *
 * Copy the folder edge/ into the libraries folder of the Arduino IDE as "rocksteady".
 */
#include <rocksteady.h>

const int SENSOR = A0;
const int ALARM = 13;
const unsigned long PERIOD = 20000; /* us between samples. An Uno needs up to 20 ms for one */

const float ZERO = 512, COUNTS_PER_G = 102.4; /* ADXL335, supply and AREF at 3.3 V */
const float WEAR_ALARM = 0.05, DRIFT_ALARM = 0.006; /* share; m */

/* Identified from a pushover curve; here Casalotti et al. (2025), Table 1, and 60 t. */
const masonry_params BUILDING = {60e3, 16.07, 6.438e6, 3734, 500, 2489, 4, 2, 0};

masonry_state state; /* all zero: at rest, unworn */
rocksteady_ground before;
unsigned long time_before;
unsigned int bad_samples;
bool alarmed;

rocksteady_ground read_ground()
{
    const int counts = analogRead(SENSOR);
    rocksteady_ground ground = {0, 0};
    if (counts <= 0 || counts >= 1023) {
        ground.h = NAN; /* a broken cable, not an earthquake */
    } else {
        ground.h = (counts - ZERO) / COUNTS_PER_G * 9.81;
    }
    return ground;
}

void raise_alarm(const char *why)
{
    digitalWrite(ALARM, HIGH);
    alarmed = true;
    Serial.print("ALARM ");
    Serial.println(why);
}

void setup()
{
    Serial.begin(115200);
    pinMode(ALARM, OUTPUT);
    if (masonry_check(&BUILDING) != ROCKSTEADY_NOTHING) {
        raise_alarm("parameters");
    }
    before = read_ground();
    time_before = micros();
}

void loop()
{
    const unsigned long now = micros();
    if (now - time_before < PERIOD) {
        return;
    }
    const rocksteady_ground after = read_ground();
    rocksteady_extremes extremes;
    /* the time that has really passed: a late or lost sample makes one longer interval */
    const int event = masonry_interval(&state, &BUILDING, before, after,
                                       (now - time_before) * 1e-6, &extremes);
    if (event == ROCKSTEADY_BAD_SAMPLE) {
        bad_samples++;
        if (!(before.h == before.h)) {
            before = after; /* not even the first one was good */
            time_before = now;
        }
        return; /* the state is kept; the next good sample bridges the gap */
    }
    before = after;
    time_before = now;
    if (!alarmed) {
        if (event == ROCKSTEADY_OVERTURN) {
            raise_alarm("collapse");
        } else if (event < 0 || event == ROCKSTEADY_FAILURE) {
            raise_alarm("model failed");
        } else if (state.w > WEAR_ALARM) {
            raise_alarm("wear");
        } else if (extremes.highest > DRIFT_ALARM || extremes.lowest < -DRIFT_ALARM) {
            raise_alarm("drift");
        }
    }
}
