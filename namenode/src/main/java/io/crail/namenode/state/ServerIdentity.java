// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.state;

import io.crail.error.ProtocolException;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.message.ServerTable;
import io.crail.protocol.node.Names;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * What is remembered of a storage server.
 *
 * @param id given at its first registration, never reused
 * @param uuid identity the server keeps with its segments
 * @param sealKey key of the grants for its blocks
 * @param endpoints where clients reach it
 */
public record ServerIdentity(
        int id,
        UUID uuid,
        String host,
        String tier,
        int storageClass,
        String locationClass,
        byte[] sealKey,
        List<ServerTable.Endpoint> endpoints) {
    void encode(WireWriter writer) {
        writer.i32(id).i64(uuid.getMostSignificantBits()).i64(uuid.getLeastSignificantBits());
        writer.string(host).string(tier).u8(storageClass).string(locationClass).raw(sealKey);
        writer.u16(endpoints.size());
        for (ServerTable.Endpoint endpoint : endpoints) {
            endpoint.encode(writer);
        }
    }

    static ServerIdentity decode(WireReader reader) throws ProtocolException {
        int id = reader.i32();
        UUID uuid = new UUID(reader.i64(), reader.i64());
        String host = reader.string(Names.MAX_NAME);
        String tier = reader.string(Names.MAX_NAME);
        int storageClass = reader.u8();
        String location = reader.string(Names.MAX_NAME);
        byte[] key = reader.raw(16);
        int count = reader.count(6);
        List<ServerTable.Endpoint> endpoints = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            endpoints.add(ServerTable.Endpoint.decode(reader));
        }
        return new ServerIdentity(id, uuid, host, tier, storageClass, location, key, endpoints);
    }

    /** Whether a registration would change nothing. */
    public boolean sameAs(ServerIdentity other) {
        return id == other.id
                && uuid.equals(other.uuid)
                && host.equals(other.host)
                && tier.equals(other.tier)
                && storageClass == other.storageClass
                && locationClass.equals(other.locationClass)
                && endpoints.equals(other.endpoints);
    }
}
