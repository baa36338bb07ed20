// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.tree;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Interns {@link Attributes}. Bounded: when a workload makes more distinct ones than {@link #LIMIT}
 * the pool starts afresh, which costs memory per node and nothing else. Not thread-safe.
 */
public final class AttributePool {
    private static final int LIMIT = 16_384;

    private final Map<Attributes, Interned> pool = new HashMap<>();

    public Interned intern(Attributes attributes) {
        Interned known = pool.get(attributes);
        if (known == null) {
            if (pool.size() == LIMIT) {
                pool.clear();
            }
            known = new Interned(attributes);
            pool.put(attributes, known);
        }
        return known;
    }

    /** Attributes with the bytes that answers need, so that a lookup encodes no string. */
    public static final class Interned extends AttributeSource {
        private final Attributes attributes;
        private final byte[] owner;
        private final byte[] group;
        private final byte[] location;

        Interned(Attributes attributes) {
            this.attributes = attributes;
            this.owner = attributes.owner().getBytes(java.nio.charset.StandardCharsets.UTF_8);
            this.group = attributes.group().getBytes(java.nio.charset.StandardCharsets.UTF_8);
            this.location =
                    attributes.locationClass().getBytes(java.nio.charset.StandardCharsets.UTF_8);
        }

        @Override
        public Attributes get() {
            return attributes;
        }

        @Override
        Interned shared() {
            return this;
        }

        @Override
        @Nullable Extras extras() {
            return null;
        }

        byte[] owner() {
            return owner;
        }

        byte[] group() {
            return group;
        }

        byte[] location() {
            return location;
        }
    }
}
