// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.hadoop.command;

import io.crail.error.InvalidArgumentException;
import io.crail.hadoop.config.ClientSettings;
import io.crail.protocol.config.ClientKeys;
import io.crail.protocol.config.ConfigurationLoader;
import io.crail.protocol.config.Endpoint;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;

/** The configuration of Hadoop for a command, from that of crail. */
final class CommandConfiguration {
    private CommandConfiguration() {}

    /**
     * What {@code conf/crail.conf} and the environment say of the client, as keys of Hadoop. What
     * the files of Hadoop say stays. Without either, the default file system is the local cluster
     * that runs.
     *
     * @param home where crail is
     */
    static Configuration of(Map<String, String> environment, Path home)
            throws InvalidArgumentException {
        Configuration hadoop = new Configuration();
        var values =
                new ConfigurationLoader(environment)
                        .usualFile(home.resolve("conf").resolve("crail.conf"))
                        .load();
        for (var entry : values.entries()) {
            String key = entry.key().name();
            boolean concerns = key.startsWith("client.") || key.startsWith("security.");
            if (concerns && values.isSet(entry.key())) {
                hadoop.setIfUnset(ClientSettings.PREFIX + key, entry.text());
            }
        }
        String key = CommonConfigurationKeysPublic.FS_DEFAULT_NAME_KEY;
        if (CommonConfigurationKeysPublic.FS_DEFAULT_NAME_DEFAULT.equals(hadoop.get(key))) {
            Endpoint first = ClientSettings.namenodes(values, environment).get(0);
            hadoop.set(key, "crail://" + first + "/");
        }
        // A namenode that is not there is told soon, unless the user has set the time for all.
        if (!values.isSet(ClientKeys.DEADLINE)) {
            hadoop.setIfUnset(
                    ClientSettings.CONNECT_DEADLINE,
                    values.get(ClientKeys.CONNECT_TIMEOUT).toMillis() + "ms");
        }
        return hadoop;
    }
}
