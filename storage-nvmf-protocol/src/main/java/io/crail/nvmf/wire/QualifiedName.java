// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.wire;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Pattern;

/** NVMe Qualified Names of hosts and subsystems (NVMe Base 2.0, section 4.5). */
public final class QualifiedName {
    /** Longest name, in bytes of UTF-8. */
    public static final int MAX_BYTES = 223;

    /** Length of the field that a name stands in. */
    public static final int FIELD_BYTES = 256;

    /** Every discovery service answers to it (NVMe Base 2.0, section 3.1.2.3). */
    public static final String DISCOVERY = "nqn.2014-08.org.nvmexpress.discovery";

    private static final String UUID_PREFIX = "nqn.2014-08.org.nvmexpress:uuid:";
    private static final Pattern FORM =
            Pattern.compile("nqn\\.[0-9]{4}-(0[1-9]|1[0-2])\\.[^\\p{Cntrl}]+");

    private QualifiedName() {}

    /** The name that a host with this identifier has by the specification. */
    public static String ofUuid(UUID uuid) {
        return UUID_PREFIX + uuid.toString().toLowerCase(Locale.ROOT);
    }

    public static boolean isValid(String name) {
        return name.getBytes(StandardCharsets.UTF_8).length <= MAX_BYTES
                && FORM.matcher(name).matches();
    }

    /**
     * The name itself, if it is one.
     *
     * @throws IllegalArgumentException if it is none, saying why
     */
    public static String check(String name) {
        if (!isValid(name)) {
            throw new IllegalArgumentException(
                    "\""
                            + name
                            + "\" is no NVMe qualified name: it must read"
                            + " nqn.yyyy-mm.reverse-domain[:name] and have at most "
                            + MAX_BYTES
                            + " bytes");
        }
        return name;
    }
}
