// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cluster.launch;

import io.crail.error.InvalidArgumentException;
import io.crail.protocol.config.StorageKeys;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Map;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the identity of a storage server lies whose data are in no file of its own, unless its user
 * says where: among the user's state, which outlives a restart of the host as the data do. What is
 * there is small; a server that finds nothing there refuses the data of the lost identity.
 */
final class IdentityPlace {
    private static final Logger LOG = LoggerFactory.getLogger(IdentityPlace.class);
    private static final int LONGEST = 100;

    private IdentityPlace() {}

    /**
     * The directory for a device or namespace.
     *
     * @param medium tells it from others
     * @param environment of the process
     * @param home directory of the user, perhaps empty
     * @throws InvalidArgumentException if there is no place for a user's state
     */
    static Path of(String medium, Map<String, String> environment, String home)
            throws InvalidArgumentException {
        Path place = state(medium, environment, home).resolve("crail/flash").resolve(name(medium));
        LOG.info("The identity of the server of {} is in {}; --dir names another", medium, place);
        return place;
    }

    /** As the XDG Base Directory Specification has it. */
    private static Path state(String medium, Map<String, String> environment, String home)
            throws InvalidArgumentException {
        Path wanted = Path.of(environment.getOrDefault("XDG_STATE_HOME", ""));
        if (wanted.isAbsolute()) {
            return wanted;
        }
        Path user = Path.of(home);
        if (!user.isAbsolute()) {
            throw new InvalidArgumentException(
                    "the identity of the server of "
                            + medium
                            + " needs a directory that survives a restart of the host, and this"
                            + " user has no home: name one by --dir, or "
                            + StorageKeys.DIRECTORY);
        }
        return user.resolve(".local/state");
    }

    /** People recognise it; what cannot be in a name, or is too long, is told apart by a sum. */
    private static String name(String medium) {
        CRC32C sum = new CRC32C();
        sum.update(medium.getBytes(StandardCharsets.UTF_8));
        String plain = medium.replaceAll("[^A-Za-z0-9._-]+", "-").replaceAll("^[-.]+", "");
        return plain.substring(0, Math.min(plain.length(), LONGEST))
                + "-"
                + HexFormat.of().toHexDigits((int) sum.getValue());
    }
}
