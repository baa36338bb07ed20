// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.config;

import io.crail.error.InvalidArgumentException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Collects the settings of all sources and builds the {@link Configuration}: command line over
 * environment over file over defaults. Not safe for use by several threads.
 */
public final class ConfigurationLoader {
    /** Names the configuration file. */
    public static final String FILE_VARIABLE = "CRAIL_CONF";

    /** Short form of the variable of {@link ClientKeys#NAMENODES}. */
    public static final String NAMENODE_VARIABLE = "CRAIL_NAMENODE";

    /** What begins like a key's variable but belongs to bin/crail. */
    private static final Set<String> OTHER_VARIABLES =
            Set.of("CRAIL_NAMENODE_OPTS", "CRAIL_STORAGE_OPTS", "CRAIL_CLIENT_OPTS");

    private static final List<String> PREFIXES =
            List.of("CRAIL_CLIENT_", "CRAIL_NAMENODE_", "CRAIL_STORAGE_", "CRAIL_SECURITY_");

    private final Map<String, String> environment;
    private final List<Setting> commandLine = new ArrayList<>();
    private @Nullable Path explicitFile;
    private @Nullable Path usualFile;

    /**
     * A loader.
     *
     * @param environment environment variables, normally {@link System#getenv()}
     */
    public ConfigurationLoader(Map<String, String> environment) {
        this.environment = Map.copyOf(environment);
    }

    /** A file that must be there (--config). Overrides {@code $CRAIL_CONF} and the usual file. */
    public ConfigurationLoader file(Path file) {
        explicitFile = file;
        return this;
    }

    /** A file that is read if it is there and no other is named. */
    public ConfigurationLoader usualFile(Path file) {
        usualFile = file;
        return this;
    }

    /** Settings of the command line; later ones win. */
    public ConfigurationLoader commandLine(List<Setting> settings) {
        commandLine.addAll(settings);
        return this;
    }

    /**
     * Reads everything.
     *
     * @throws InvalidArgumentException for a file that cannot be read, a key that does not exist or
     *     a value that is not allowed, naming where it stands and what would be right
     */
    public Configuration load() throws InvalidArgumentException {
        List<Setting> settings = new ArrayList<>();
        Path file = chooseFile();
        if (file != null) {
            settings.addAll(ConfigurationFile.read(file));
        }
        settings.addAll(environmentSettings());
        settings.addAll(commandLine);
        return Configuration.of(settings);
    }

    private @Nullable Path chooseFile() {
        if (explicitFile != null) {
            return explicitFile;
        }
        String named = environment.get(FILE_VARIABLE);
        if (named != null && !named.isEmpty()) {
            return Path.of(named);
        }
        return usualFile != null && Files.exists(usualFile) ? usualFile : null;
    }

    private List<Setting> environmentSettings() throws InvalidArgumentException {
        Map<String, String> keyByVariable = new HashMap<>();
        for (ConfigKey<?> key : CrailKeys.all()) {
            keyByVariable.put(key.environmentVariable(), key.name());
        }
        List<Setting> settings = new ArrayList<>();
        String namenode = environment.get(NAMENODE_VARIABLE);
        if (namenode != null && !namenode.isEmpty()) {
            settings.add(setting(ClientKeys.NAMENODES.name(), namenode, NAMENODE_VARIABLE));
        }
        // Sorted, so that of several mistakes always the same one is named.
        for (Map.Entry<String, String> variable : new TreeMap<>(environment).entrySet()) {
            String name = variable.getKey();
            String key = keyByVariable.get(name);
            if (key != null) {
                settings.add(setting(key, variable.getValue(), name));
            } else if (looksLikeKey(name)) {
                throw new InvalidArgumentException(
                        "environment variable "
                                + name
                                + " (value '"
                                + variable.getValue()
                                + "') stands for no key"
                                + Spelling.nearest(name, keyByVariable.keySet())
                                        .map(near -> "; did you mean " + near + "?")
                                        .orElse("; 'crail config' lists all keys"));
            }
        }
        return settings;
    }

    private static Setting setting(String key, String text, String variable) {
        return new Setting(key, text, new Origin(Origin.Kind.ENVIRONMENT, variable));
    }

    private static boolean looksLikeKey(String variable) {
        return !OTHER_VARIABLES.contains(variable)
                && PREFIXES.stream().anyMatch(variable::startsWith);
    }
}
