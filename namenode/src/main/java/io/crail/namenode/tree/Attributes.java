// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.tree;

import io.crail.error.ProtocolException;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.node.Names;

/**
 * What many nodes have in common. Immutable and interned by {@link AttributePool}, so that a
 * million nodes of one owner share one object.
 *
 * @param mode permission bits
 * @param storageClass class that new blocks of the node are asked from
 * @param checksums whether chunk checksums are kept
 * @param owner owning user
 * @param group owning group
 * @param locationClass preferred place of blocks, "" = the writer's own
 */
public record Attributes(
        int mode,
        int storageClass,
        boolean checksums,
        String owner,
        String group,
        String locationClass) {
    public void encode(WireWriter writer) {
        writer.u16(mode).u8(storageClass).bool(checksums);
        writer.string(owner).string(group).string(locationClass);
    }

    public static Attributes decode(WireReader reader) throws ProtocolException {
        return new Attributes(
                reader.u16(),
                reader.u8(),
                reader.bool(),
                reader.string(Names.MAX_NAME),
                reader.string(Names.MAX_NAME),
                reader.string(Names.MAX_NAME));
    }

    public Attributes withMode(int value) {
        return new Attributes(value, storageClass, checksums, owner, group, locationClass);
    }

    public Attributes withStorageClass(int value) {
        return new Attributes(mode, value, checksums, owner, group, locationClass);
    }

    public Attributes withOwner(String value) {
        return new Attributes(mode, storageClass, checksums, value, group, locationClass);
    }

    public Attributes withGroup(String value) {
        return new Attributes(mode, storageClass, checksums, owner, value, locationClass);
    }
}
