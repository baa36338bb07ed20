// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.tcp;

import io.crail.error.AccessDeniedException;
import io.crail.error.BusyException;
import io.crail.error.CrailException;
import io.crail.error.ProtocolException;
import io.crail.error.VersionMismatchException;
import io.crail.protocol.authentication.Gatekeeper;
import io.crail.protocol.frame.ProtocolLimits;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.message.Authenticate;
import io.crail.protocol.message.Hello;
import io.crail.protocol.message.Message;
import io.crail.protocol.message.MessageType;
import io.crail.storage.spi.Admission;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The server's side of one connection's hello: who is it, and may it talk to us? Where the gate is
 * closed, cluster and ticket are looked at only when the caller has proved that it knows the
 * secret. Used by the connection's event loop only.
 */
final class Handshake {
    private static final UUID ANY = new UUID(0, 0);
    private static final byte[] NO_CHALLENGE = {};
    private static final String SOFTWARE = "crail-storage";

    private final ServiceState state;
    private Gatekeeper.@Nullable Challenge challenge;
    private @Nullable AccessCheck access;

    Handshake(ServiceState state) {
        this.state = state;
    }

    /** What the caller may do; null until the hello is complete. */
    @Nullable AccessCheck access() {
        return access;
    }

    /** The only message that the caller may send now. */
    MessageType expected() {
        return challenge == null ? MessageType.HELLO : MessageType.AUTHENTICATE;
    }

    /**
     * Takes the message that was expected.
     *
     * @throws CrailException if the caller is refused; it gets the error, then the connection is
     *     closed
     */
    Message answer(WireReader control) throws CrailException {
        Gatekeeper.Challenge open = challenge;
        if (open == null) {
            return hello(control.raw(control.remaining()));
        }
        open.check(Authenticate.Request.decode(control));
        access = admit(admission(), open.hello());
        challenge = null;
        return new Authenticate.Reply();
    }

    private Hello.Reply hello(byte[] control) throws CrailException {
        Hello.Request hello = Hello.Request.decode(new WireReader(control));
        checkSpeech(hello);
        Admission admission = admission();
        Hello.Reply reply = reply(admission);
        if (state.gate.isClosed()) {
            Gatekeeper.Challenge next = state.gate.challenge(control, hello, reply);
            challenge = next;
            return next.reply();
        }
        access = admit(admission, hello);
        return reply;
    }

    private static void checkSpeech(Hello.Request hello) throws CrailException {
        if (hello.magic() != ProtocolLimits.HELLO_MAGIC) {
            throw new ProtocolException("hello without crail's magic number");
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
        if (hello.role() != Hello.ROLE_CLIENT) {
            throw new AccessDeniedException(
                    "a storage server talks to clients only, not to role " + hello.role());
        }
    }

    private Admission admission() throws BusyException {
        Admission admission = state.admission();
        if (admission == null) {
            throw new BusyException("this storage server has not registered yet");
        }
        return admission;
    }

    private AccessCheck admit(Admission admission, Hello.Request hello)
            throws AccessDeniedException {
        if (!hello.cluster().equals(ANY) && !hello.cluster().equals(admission.cluster())) {
            throw new AccessDeniedException(
                    "this storage server belongs to cluster "
                            + admission.cluster()
                            + ", not to "
                            + hello.cluster());
        }
        if (hello.session() == 0) {
            throw new AccessDeniedException(
                    "this is storage server "
                            + admission.server()
                            + ", not a namenode: clients are given the address of the namenode");
        }
        long ticket = admission.seal().ticket(hello.session(), hello.tenant(), admission.server());
        if (hello.secret() != ticket) {
            throw new AccessDeniedException(
                    "ticket of session "
                            + hello.session()
                            + " is not good for storage server "
                            + admission.server());
        }
        return new AccessCheck(state, hello.session(), hello.tenant());
    }

    private static Hello.Reply reply(Admission admission) {
        return new Hello.Reply(
                ProtocolLimits.VERSION,
                Hello.AUTHENTICATION_NONE,
                0,
                admission.cluster(),
                admission.epoch(),
                ConnectionInput.MAX_FRAME,
                ProtocolLimits.MAX_UNACKNOWLEDGED,
                0,
                0,
                SOFTWARE,
                NO_CHALLENGE);
    }
}
