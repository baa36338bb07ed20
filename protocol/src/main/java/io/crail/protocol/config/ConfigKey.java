// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.config;

import java.util.Locale;

/**
 * One key of the configuration: name, type with range, default, and its meaning in a sentence.
 * Immutable. Two keys are the same only if they are the same object, which {@link CrailKeys} lists.
 *
 * @param <T> type of the value
 */
public final class ConfigKey<T> {
    private final String name;
    private final ValueType<T> type;
    private final T defaultValue;
    private final String meaning;

    private ConfigKey(String name, ValueType<T> type, T defaultValue, String meaning) {
        this.name = name;
        this.type = type;
        this.defaultValue = defaultValue;
        this.meaning = meaning;
    }

    /**
     * A key.
     *
     * @param name words separated by dots and hyphens, the role first: {@code namenode.bind.port}
     * @param type kind and range of the value
     * @param defaultText the default as a configuration file would have it
     * @param meaning one sentence
     */
    static <T> ConfigKey<T> of(String name, ValueType<T> type, String defaultText, String meaning) {
        return new ConfigKey<>(name, type, type.parse(defaultText), meaning);
    }

    public String name() {
        return name;
    }

    public ValueType<T> type() {
        return type;
    }

    public T defaultValue() {
        return defaultValue;
    }

    /** The default as a configuration file would have it. */
    public String defaultText() {
        return type.format(defaultValue);
    }

    public String meaning() {
        return meaning;
    }

    /** The environment variable that sets it: {@code CRAIL_NAMENODE_BIND_PORT}. */
    public String environmentVariable() {
        return environmentVariable(name);
    }

    static String environmentVariable(String name) {
        return "CRAIL_" + name.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
    }

    @Override
    public String toString() {
        return name;
    }
}
