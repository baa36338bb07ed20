// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.basic;

import io.crail.spark.interop.ClassTags;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import org.apache.spark.serializer.DeserializationStream;
import org.apache.spark.serializer.SerializationStream;
import org.apache.spark.serializer.Serializer;
import org.apache.spark.serializer.SerializerInstance;
import org.jspecify.annotations.Nullable;
import scala.reflect.ClassTag;

/** Makes the streams of a task. Belongs to one thread. */
final class BasicInstance extends SerializerInstance {
    private final Serializer others;
    private @Nullable SerializerInstance ofOthers;

    BasicInstance(Serializer others) {
        this.others = others;
    }

    /** Hardly ever needed, and dear to make. */
    private SerializerInstance ofOthers() {
        SerializerInstance made = ofOthers;
        if (made == null) {
            made = others.newInstance();
            ofOthers = made;
        }
        return made;
    }

    /** An object of no basic type, from position to limit. */
    ByteBuffer other(Object object) {
        return ofOthers().serialize(object, ClassTags.any());
    }

    /** What {@link #other} made of it. */
    Object other(ByteBuffer bytes) {
        return ofOthers().deserialize(bytes, ClassTags.any());
    }

    @Override
    public SerializationStream serializeStream(OutputStream target) {
        return new BasicOutput(this, target);
    }

    @Override
    public DeserializationStream deserializeStream(InputStream source) {
        return new BasicInput(this, source);
    }

    @Override
    public <T> ByteBuffer serialize(T object, ClassTag<T> tag) {
        return ofOthers().serialize(object, tag);
    }

    @Override
    public <T> T deserialize(ByteBuffer bytes, ClassTag<T> tag) {
        return ofOthers().deserialize(bytes, tag);
    }

    @Override
    public <T> T deserialize(ByteBuffer bytes, ClassLoader loader, ClassTag<T> tag) {
        return ofOthers().deserialize(bytes, loader, tag);
    }
}
