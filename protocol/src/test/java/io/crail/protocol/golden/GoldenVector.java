// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.golden;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A file of fields: what it says of itself, and its fields in the order of their bytes.
 *
 * @param name file name, below the folder of golden vectors
 * @param properties "message", "type", "part", "length"
 * @param fields the fields
 */
public record GoldenVector(String name, Map<String, String> properties, List<GoldenField> fields) {
    private static final Pattern FIELD = Pattern.compile("(\\S+)\\s+(\\S+)\\s+(.*?)\\s*\\|(.*)");
    private static final Pattern PROPERTY = Pattern.compile("(\\S+)\\s+(\\S+)");

    /** Reads a file, and checks each field's bytes against its value, and the stated length. */
    public static GoldenVector load(String name) {
        Map<String, String> properties = new HashMap<>();
        List<GoldenField> fields = new ArrayList<>();
        for (String line : lines(name)) {
            Matcher field = FIELD.matcher(line);
            Matcher property = PROPERTY.matcher(line);
            if (field.matches()) {
                fields.add(
                        new GoldenField(
                                field.group(1),
                                field.group(2),
                                field.group(3),
                                HexFormat.of().parseHex(field.group(4).replace(" ", ""))));
            } else if (property.matches()) {
                properties.put(property.group(1), property.group(2));
            } else {
                throw new AssertionError(name + ": cannot read line: " + line);
            }
        }
        GoldenVector vector = new GoldenVector(name, properties, fields);
        for (GoldenField field : fields) {
            assertThat(field.bytes())
                    .as("%s: bytes of %s", name, field.name())
                    .isEqualTo(WireValue.encode(field.type(), field.value()));
        }
        assertThat(vector.bytes())
                .as("%s: its length", name)
                .hasSize(Integer.parseInt(vector.property("length")));
        return vector;
    }

    /** The lines of a file of the golden folder that are neither empty nor comments. */
    public static List<String> lines(String name) {
        try (InputStream in = GoldenVector.class.getResourceAsStream("/golden/" + name)) {
            if (in == null) {
                throw new AssertionError("there is no golden file " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public String property(String key) {
        String value = properties.get(key);
        if (value == null) {
            throw new AssertionError(name + " does not state its " + key);
        }
        return value;
    }

    public GoldenField field(String path) {
        return fields.stream()
                .filter(field -> field.name().equals(path))
                .findFirst()
                .orElseThrow(() -> new AssertionError(name + " has no field " + path));
    }

    /** The number in a field of an integer type. */
    public long number(String path) {
        return WireValue.number(field(path).value());
    }

    /** All bytes. */
    public byte[] bytes() {
        return bytes("");
    }

    /** The bytes of the fields whose names begin with {@code prefix}. */
    public byte[] bytes(String prefix) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        fields.stream()
                .filter(field -> field.name().startsWith(prefix))
                .forEach(field -> out.writeBytes(field.bytes()));
        return out.toByteArray();
    }
}
