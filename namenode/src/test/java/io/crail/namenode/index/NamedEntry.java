// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.index;

import java.nio.charset.StandardCharsets;

/** An entry with nothing but its name. */
final class NamedEntry extends NameIndex.Entry {
    NamedEntry(byte[] name, NameHash hash) {
        super(name, hash.hash(name));
    }

    NamedEntry(byte[] name, int hash) {
        super(name, hash);
    }

    @Override
    public String toString() {
        return new String(name(), StandardCharsets.ISO_8859_1);
    }
}
