// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.xattr;

import io.crail.cli.terminal.Json;
import io.crail.error.NoSuchNodeException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How values are shown. */
final class Values {
    private Values() {}

    /** The value as text, if it is printable. */
    private static Optional<String> text(byte[] value) {
        try {
            String text =
                    StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(value)).toString();
            return text.chars().anyMatch(Character::isISOControl)
                    ? Optional.empty()
                    : Optional.of(text);
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }

    /** For people: text in quotes, or Base64 as getfattr has it. */
    static String shown(byte[] value) {
        return text(value)
                .map(text -> '"' + text + '"')
                .orElseGet(() -> "0s" + Base64.getEncoder().encodeToString(value));
    }

    /** For programs: text if it can be, else Base64. */
    static Map<String, @Nullable Object> json(String name, byte[] value) {
        Optional<String> text = text(value);
        return text.isPresent()
                ? Json.object("name", name, "value", text.get())
                : Json.object("name", name, "base64", Base64.getEncoder().encodeToString(value));
    }

    static NoSuchNodeException missing(String path, String name) {
        return new NoSuchNodeException(path + " has no extended attribute '" + name + "'");
    }
}
