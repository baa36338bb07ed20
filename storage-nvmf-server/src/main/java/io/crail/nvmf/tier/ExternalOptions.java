// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.tier;

import io.crail.error.InvalidArgumentException;
import io.crail.nvmf.layout.ExternalTiming;
import io.crail.storage.spi.TierContext;
import java.time.Duration;
import java.util.Map;
import java.util.Set;

/**
 * What the tier is told if its target is not its own, checked.
 *
 * @param target where the namespace is
 * @param timing bounds that clients keep
 * @param deallocate whether the target is told of freed blocks
 * @param controlPort port of the service that answers questions, 0 = any free one
 * @param transport how that service talks to the kernel
 */
record ExternalOptions(
        TargetAddress target,
        ExternalTiming timing,
        boolean deallocate,
        int controlPort,
        String transport) {
    static final String TARGET = "target";
    static final String NQN = "nqn";
    static final String NAMESPACE = "namespace";
    static final String KEEP_ALIVE = "keep_alive_millis";
    static final String DEALLOCATE = "deallocate";

    private static final Set<String> KNOWN =
            Set.of(
                    TARGET,
                    NQN,
                    NAMESPACE,
                    KEEP_ALIVE,
                    DEALLOCATE,
                    TierOptions.CONTROL_PORT,
                    TierOptions.TRANSPORT);
    private static final int MAX_PORT = 0xFFFF;

    /** Whether the tier is to use an external target. */
    static boolean isMeant(Map<String, String> options) {
        return !options.getOrDefault(TARGET, "").isEmpty();
    }

    static ExternalOptions of(TierContext context) throws InvalidArgumentException {
        Map<String, String> options = context.options();
        if (!options.getOrDefault(TierOptions.FILE, "").isEmpty()) {
            throw new InvalidArgumentException(
                    "--file is for the built-in target, --target for another one: name one of them");
        }
        for (String option : options.keySet()) {
            if (!KNOWN.contains(option)) {
                throw new InvalidArgumentException(
                        "tier nvmf has no option " + option + " with a target, only " + KNOWN);
            }
        }
        TargetAddress target =
                TargetAddress.parse(
                        options.getOrDefault(TARGET, ""),
                        options.getOrDefault(NQN, ""),
                        TierOptions.number(options, NAMESPACE, 1, 1, Integer.MAX_VALUE));
        int keepAlive = TierOptions.number(options, KEEP_ALIVE, 5_000, 1_000, 15_000);
        return new ExternalOptions(
                target,
                new ExternalTiming(Duration.ofMillis(keepAlive)),
                flag(options, DEALLOCATE),
                TierOptions.number(options, TierOptions.CONTROL_PORT, 0, 0, MAX_PORT),
                options.getOrDefault(TierOptions.TRANSPORT, "auto"));
    }

    private static boolean flag(Map<String, String> options, String key)
            throws InvalidArgumentException {
        String text = options.getOrDefault(key, "true");
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default ->
                    throw new InvalidArgumentException(
                            key + " = " + text + " is neither true nor false");
        };
    }
}
