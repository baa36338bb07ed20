// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.config;

import java.nio.file.Path;
import java.util.List;

/** Keys that clients and servers share: who may enter. */
public final class SecurityKeys {
    public static final ConfigKey<Path> SECRET_FILE =
            ConfigKey.of(
                    "security.secret-file",
                    ValueType.path(),
                    "",
                    "File with the secret that all servers and clients of the cluster share, mode"
                            + " 0600; 'crail secret create' makes one.");

    public static final ConfigKey<String> AUTHENTICATION =
            ConfigKey.of(
                    "security.authentication",
                    ValueType.choice("auto", "required", "off"),
                    "auto",
                    "Whether both ends of a connection prove that they know the secret; auto means"
                            + " if there is a secret file, without which a server listens on"
                            + " loopback only.");

    static final List<ConfigKey<?>> ALL = List.of(SECRET_FILE, AUTHENTICATION);

    private SecurityKeys() {}
}
