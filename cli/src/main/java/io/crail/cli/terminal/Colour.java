// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.terminal;

/** The few colours in use, by what they mean. */
public enum Colour {
    CONTAINER("34;1"),
    GOOD("32"),
    BAD("31;1"),
    WARNING("33"),
    FAINT("2");

    private final String code;

    Colour(String code) {
        this.code = code;
    }

    String paint(String text) {
        return "\u001b[" + code + "m" + text + "\u001b[0m";
    }
}
