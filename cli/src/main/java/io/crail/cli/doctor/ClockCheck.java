// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The clocks: what reading the time costs, whether the wall clock goes as the monotonic one does,
 * and what the namenode takes for the time.
 */
final class ClockCheck implements Check {
    /** Read without a system call; all others cost a microsecond and more. */
    private static final Set<String> FAST =
            Set.of("tsc", "kvm-clock", "arch_sys_counter", "hyperv_clocksource_tsc_page");

    private static final long STEP_MILLIS = 100;
    private static final long SKEW_MILLIS = 1_000;

    /**
     * How far clocks are apart.
     *
     * @param wallMillis by how much the wall clock went on between two looks
     * @param monotonicMillis and the monotonic one
     * @param namenodeMillis by how much the namenode's wall clock is ahead of ours; empty if there
     *     is no namenode, or it does not tell
     * @param errorMillis how wrong that may be: half a round trip
     */
    record Readings(
            long wallMillis,
            long monotonicMillis,
            Optional<Long> namenodeMillis,
            long errorMillis) {}

    private final Machine machine;
    private final Readings readings;

    ClockCheck(Machine machine, Readings readings) {
        this.machine = machine;
        this.readings = readings;
    }

    @Override
    public String subject() {
        return "clock";
    }

    @Override
    public List<Finding> look() {
        List<Finding> found = new ArrayList<>();
        found.add(source());
        long drift = readings.wallMillis() - readings.monotonicMillis();
        if (Math.abs(drift) > STEP_MILLIS) {
            found.add(
                    Finding.warning(
                            "the wall clock was set by "
                                    + drift
                                    + " ms while this command ran: times of nodes and logs jump"
                                    + " (leases, deadlines and times to live do not)",
                            "let chrony or ntpd slew the clock, and see their logs"));
        }
        readings.namenodeMillis().ifPresent(millis -> found.add(skew(millis)));
        return found;
    }

    private Finding source() {
        String source =
                machine.read("sys/devices/system/clocksource/clocksource0/current_clocksource")
                        .map(String::strip)
                        .orElse("");
        if (source.isEmpty()) {
            return Finding.ok("the clock source is not known");
        }
        return FAST.contains(source)
                ? Finding.ok("the clock source is " + source)
                : Finding.warning(
                        "the clock source is "
                                + source
                                + ", which takes a system call for each look at the time",
                        "see why the kernel does not trust a faster one (dmesg | grep -i"
                                + " clocksource), and set it with clocksource= at boot");
    }

    private Finding skew(long ahead) {
        long sure = Math.max(0, Math.abs(ahead) - readings.errorMillis());
        String what =
                "the namenode's wall clock is "
                        + Math.abs(ahead)
                        + " ms "
                        + (ahead < 0 ? "behind" : "ahead of")
                        + " this one (+-"
                        + readings.errorMillis()
                        + " ms)";
        return sure <= SKEW_MILLIS
                ? Finding.ok(what)
                : Finding.warning(
                        what + ": times of nodes and logs do not fit together",
                        "run chrony or ntpd on all machines");
    }
}
