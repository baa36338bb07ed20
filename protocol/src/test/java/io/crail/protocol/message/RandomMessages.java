// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.message;

import io.crail.protocol.block.BlockGeometry;
import io.crail.protocol.block.BlockReference;
import io.crail.protocol.block.CommittedExtent;
import io.crail.protocol.block.Extent;
import io.crail.protocol.golden.GoldenField;
import io.crail.protocol.node.NodeType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;

/**
 * Messages with random contents. Which numbers a component may hold is read from the wire types in
 * the golden vector of its message.
 */
final class RandomMessages {
    private final Random random;
    private final Map<String, String> types = new HashMap<>();

    private RandomMessages(MessageCodec codec, Random random) {
        this.random = random;
        for (GoldenField field : codec.golden().fields()) {
            types.put(field.pattern(), field.type());
        }
    }

    static Message of(MessageCodec codec, Random random) {
        return (Message) new RandomMessages(codec, random).record(codec.record(), "");
    }

    private Object record(Class<?> type, String prefix) {
        if (type == BlockReference.class) {
            return reference();
        } else if (type == Extent.class) {
            BlockReference block = reference();
            long offset = random.nextLong() >>> (2 + random.nextInt(61));
            return new Extent(offset, random.nextInt(block.length() + 1), random.nextInt(), block);
        } else if (type == CommittedExtent.class) {
            return new CommittedExtent(
                    reference(), 1 + random.nextInt(BlockGeometry.MAX_BLOCK), random.nextInt());
        }
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] parameters = new Class<?>[components.length];
        Object[] values = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            parameters[i] = components[i].getType();
            values[i] = value(components[i], prefix + components[i].getName());
        }
        try {
            var constructor = type.getDeclaredConstructor(parameters);
            return constructor.newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("cannot make a " + type, e);
        }
    }

    private Object value(RecordComponent component, String path) {
        Class<?> type = component.getType();
        if (type == List.class) {
            return list(component, path);
        } else if (type == String.class) {
            return string();
        } else if (type == byte[].class) {
            return bytes(wireType(path).startsWith("raw") ? 16 : random.nextInt(65));
        } else if (type == long[].class) {
            return random.longs(random.nextInt(9)).toArray();
        } else if (type == int[].class) {
            return random.ints(random.nextInt(9)).toArray();
        } else if (type == UUID.class) {
            return new UUID(random.nextLong(), random.nextLong());
        } else if (type == NodeType.class) {
            return List.of(NodeType.values()).get(random.nextInt(NodeType.values().length));
        } else if (type == boolean.class) {
            return random.nextBoolean();
        } else if (type.isRecord()) {
            return record(type, path + ".");
        }
        long number = number(wireType(path));
        return type == int.class ? (Object) (int) number : (Object) number;
    }

    private String wireType(String path) {
        String type = types.get(path);
        if (type == null) {
            throw new AssertionError("no golden vector states the type of " + path);
        }
        return type;
    }

    private long number(String wireType) {
        // Small and extreme values are where codecs go wrong, so bits are thinned out at random.
        long any = random.nextInt(8) == 0 ? -1 : random.nextLong() >>> random.nextInt(64);
        return switch (wireType) {
            case "u8" -> any & 0xFF;
            case "u16" -> any & 0xFFFF;
            case "n32" -> any & 0x7FFF_FFFF;
            case "u32" -> any & 0xFFFF_FFFFL;
            case "n64" -> any & Long.MAX_VALUE;
            case "u64", "i64" -> any;
            default -> throw new AssertionError("a number of type " + wireType);
        };
    }

    private List<Object> list(RecordComponent component, String path) {
        Class<?> element =
                (Class<?>)
                        ((ParameterizedType) component.getGenericType())
                                .getActualTypeArguments()[0];
        List<Object> list = new ArrayList<>();
        for (int i = random.nextInt(5); i > 0; i--) {
            list.add(record(element, path + "[]."));
        }
        return list;
    }

    private BlockReference reference() {
        int shift = BlockGeometry.SLOT_SHIFT + random.nextInt(9);
        return new BlockReference(
                random.nextInt(),
                random.nextInt(Integer.MAX_VALUE),
                (random.nextLong() >>> 34) << BlockGeometry.SLOT_SHIFT,
                1 << shift,
                random.nextInt(Integer.MAX_VALUE),
                random.nextLong(),
                random.nextLong(),
                1 + random.nextInt(4));
    }

    private String string() {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(20); i > 0; i--) {
            int kind = random.nextInt(3);
            int codePoint =
                    kind == 0 ? random.nextInt(0x80) : kind == 1 ? random.nextInt(0x800) : 0x1F600;
            text.appendCodePoint(codePoint);
        }
        return text.toString();
    }

    private byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }
}
