// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.golden;

/**
 * One line of a vector.
 *
 * @param name path of the field, such as {@code extents[0].block.server}
 * @param type wire type, see the README of the vectors
 * @param value as it is written in the file
 * @param bytes the bytes that the file states for it
 */
public record GoldenField(String name, String type, String value, byte[] bytes) {
    /** The name without indices: the same for all elements of a list. */
    public String pattern() {
        return name.replaceAll("\\[\\d+]", "[]");
    }
}
