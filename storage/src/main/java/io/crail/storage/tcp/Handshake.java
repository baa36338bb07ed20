// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.tcp;

import io.crail.error.AccessDeniedException;
import io.crail.error.BusyException;
import io.crail.error.CrailException;
import io.crail.error.ProtocolException;
import io.crail.error.VersionMismatchException;
import io.crail.protocol.frame.ProtocolLimits;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.message.Hello;
import io.crail.storage.spi.Admission;
import java.util.UUID;

/** The server's side of the hello: who is it, and may it talk to us? Stateless. */
final class Handshake {
    private static final UUID ANY = new UUID(0, 0);
    private static final byte[] NO_CHALLENGE = {};
    private static final String SOFTWARE = "crail-storage";

    private Handshake() {}

    /**
     * Checks a hello.
     *
     * @throws CrailException if the peer is refused; it gets the error, then the connection is
     *     closed
     */
    static AccessCheck check(ServiceState state, WireReader control) throws CrailException {
        Hello.Request hello = Hello.Request.decode(control);
        if (hello.magic() != ProtocolLimits.HELLO_MAGIC) {
            throw new ProtocolException("hello without crail's magic number");
        }
        Admission admission = state.admission();
        if (admission == null) {
            throw new BusyException("this storage server has not registered yet");
        }
        if (hello.minVersion() > ProtocolLimits.VERSION
                || hello.maxVersion() < ProtocolLimits.MIN_VERSION) {
            throw new VersionMismatchException(
                    "peer speaks protocol versions "
                            + hello.minVersion()
                            + ".."
                            + hello.maxVersion()
                            + ", this server "
                            + ProtocolLimits.MIN_VERSION
                            + ".."
                            + ProtocolLimits.VERSION);
        }
        if (!hello.cluster().equals(ANY) && !hello.cluster().equals(admission.cluster())) {
            throw new AccessDeniedException(
                    "this storage server belongs to cluster "
                            + admission.cluster()
                            + ", not to "
                            + hello.cluster());
        }
        long ticket = admission.seal().ticket(hello.session(), hello.tenant(), admission.server());
        if (hello.role() != Hello.ROLE_CLIENT || hello.session() == 0 || hello.secret() != ticket) {
            throw new AccessDeniedException(
                    "ticket of session "
                            + hello.session()
                            + " is not good for storage server "
                            + admission.server());
        }
        return new AccessCheck(state, hello.session(), hello.tenant());
    }

    static Hello.Reply reply(ServiceState state) {
        Admission admission = state.admission();
        return new Hello.Reply(
                ProtocolLimits.VERSION,
                Hello.AUTHENTICATION_NONE,
                0,
                admission == null ? ANY : admission.cluster(),
                admission == null ? 0 : admission.epoch(),
                ConnectionInput.MAX_FRAME,
                ProtocolLimits.MAX_UNACKNOWLEDGED,
                0,
                0,
                SOFTWARE,
                NO_CHALLENGE);
    }
}
