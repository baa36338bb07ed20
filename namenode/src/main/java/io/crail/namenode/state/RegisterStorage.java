// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.state;

import io.crail.error.ProtocolException;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;

/**
 * A storage server is new or has changed its description.
 *
 * @param server how it is from now on
 */
public record RegisterStorage(ServerIdentity server) implements Mutation {
    static RegisterStorage decode(WireReader reader) throws ProtocolException {
        return new RegisterStorage(ServerIdentity.decode(reader));
    }

    @Override
    public int code() {
        return RecordType.SERVER.code();
    }

    @Override
    public void encode(WireWriter writer) {
        server.encode(writer);
    }

    @Override
    public void apply(State state, Origin origin) {
        state.servers().put(server);
        if (state.blocks().hasServer(server.id())) {
            state.blocks().describeServer(server.id(), server.locationClass(), server.host());
        } else {
            state.blocks()
                    .addServer(
                            server.id(),
                            server.storageClass(),
                            server.locationClass(),
                            server.host());
        }
    }
}
