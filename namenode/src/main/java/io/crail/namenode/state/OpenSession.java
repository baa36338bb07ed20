// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.state;

import io.crail.error.ProtocolException;
import io.crail.namenode.session.Session;
import io.crail.namenode.session.SessionIdentity;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;

/**
 * A session begins.
 *
 * @param identity the session
 */
public record OpenSession(SessionIdentity identity) implements Mutation {
    static OpenSession decode(WireReader reader) throws ProtocolException {
        return new OpenSession(SessionIdentity.decode(reader));
    }

    @Override
    public int code() {
        return RecordType.SESSION_OPEN.code();
    }

    @Override
    public void encode(WireWriter writer) {
        identity.encode(writer);
    }

    @Override
    public void apply(State state, Origin origin) {
        state.addSession(new Session(identity));
    }
}
