// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.config;

import io.crail.error.InvalidArgumentException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The value and the origin of every key. Immutable; may be shared between threads. */
public final class Configuration {
    /**
     * One key with its value.
     *
     * @param key the key
     * @param value its value
     * @param origin where the value comes from
     * @param <T> type of the value
     */
    public record Entry<T>(ConfigKey<T> key, T value, Origin origin) {
        /** The value as a configuration file would have it. */
        public String text() {
            return key.type().format(value);
        }
    }

    private final Map<ConfigKey<?>, Entry<?>> entries;

    private Configuration(Map<ConfigKey<?>, Entry<?>> entries) {
        this.entries = entries;
    }

    /** Everything at its default. */
    public static Configuration defaults() {
        Map<ConfigKey<?>, Entry<?>> entries = new LinkedHashMap<>();
        for (ConfigKey<?> key : CrailKeys.all()) {
            entries.put(key, defaultOf(key));
        }
        return new Configuration(entries);
    }

    /**
     * Applies settings over defaults, later ones over earlier ones.
     *
     * @throws InvalidArgumentException naming key, value, origin and what would be right
     */
    static Configuration of(List<Setting> settings) throws InvalidArgumentException {
        Map<ConfigKey<?>, Entry<?>> entries = new LinkedHashMap<>(defaults().entries);
        for (Setting setting : settings) {
            ConfigKey<?> key = find(setting);
            entries.put(key, parse(key, setting));
        }
        return new Configuration(entries);
    }

    private static <T> Entry<T> defaultOf(ConfigKey<T> key) {
        return new Entry<>(key, key.defaultValue(), Origin.DEFAULT);
    }

    private static ConfigKey<?> find(Setting setting) throws InvalidArgumentException {
        ConfigKey<?> key = CrailKeys.find(setting.key());
        if (key != null) {
            return key;
        }
        throw new InvalidArgumentException(
                setting.origin()
                        + ": there is no key '"
                        + setting.key()
                        + "' (value '"
                        + setting.text()
                        + "')"
                        + Spelling.nearest(setting.key(), CrailKeys.names())
                                .map(name -> "; did you mean '" + name + "'?")
                                .orElse("; 'crail config' lists all keys"));
    }

    private static <T> Entry<T> parse(ConfigKey<T> key, Setting setting)
            throws InvalidArgumentException {
        try {
            return new Entry<>(key, key.type().parse(setting.text()), setting.origin());
        } catch (IllegalArgumentException e) {
            String range = key.type().range();
            throw new InvalidArgumentException(
                    setting.origin()
                            + ": "
                            + key.name()
                            + " = '"
                            + setting.text()
                            + "': "
                            + e.getMessage()
                            + (range.isEmpty()
                                    ? "; it must be a " + key.type().name()
                                    : "; allowed is " + range),
                    e);
        }
    }

    /** The value of a key. */
    public <T> T get(ConfigKey<T> key) {
        return entry(key).value();
    }

    /** Where the value of a key comes from. */
    public Origin origin(ConfigKey<?> key) {
        return entry(key).origin();
    }

    /** Whether somebody has set the key. */
    public boolean isSet(ConfigKey<?> key) {
        return origin(key).kind() != Origin.Kind.DEFAULT;
    }

    /** All keys, in the order of {@link CrailKeys#all()}. */
    public Collection<Entry<?>> entries() {
        return List.copyOf(entries.values());
    }

    @SuppressWarnings("unchecked") // the entry of a key was made for that key
    private <T> Entry<T> entry(ConfigKey<T> key) {
        @Nullable Entry<?> entry = entries.get(key);
        if (entry == null) {
            throw new IllegalArgumentException("key is not registered: " + key);
        }
        return (Entry<T>) entry;
    }
}
