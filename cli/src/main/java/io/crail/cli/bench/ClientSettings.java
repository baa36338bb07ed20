// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.bench;

import io.crail.protocol.config.Configuration;
import java.util.HashMap;
import java.util.Map;

/** What clients in programs that are measured are told of this command's configuration. */
final class ClientSettings {
    private ClientSettings() {}

    /** All keys {@code client.*} and {@code security.*} that have been set. */
    static Map<String, String> of(Configuration values) {
        Map<String, String> settings = new HashMap<>();
        for (Configuration.Entry<?> entry : values.entries()) {
            String key = entry.key().name();
            boolean concerns = key.startsWith("client.") || key.startsWith("security.");
            if (concerns && values.isSet(entry.key())) {
                settings.put(key, entry.text());
            }
        }
        return settings;
    }
}
