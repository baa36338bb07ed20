// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.authentication;

import io.crail.error.AccessDeniedException;
import io.crail.error.CrailException;
import io.crail.error.ProtocolException;
import io.crail.protocol.config.SecurityKeys;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.message.Authenticate;
import io.crail.protocol.message.Hello;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Optional;

/**
 * The caller's side of one hello. First {@link #offer}; with the answer {@link #answer}, which
 * believes nothing of it before the server has proved that it knows the secret, too. Serves one
 * connection; not thread-safe.
 */
public final class CallerProof {
    private final Credentials credentials;
    private final Party self;
    private final Party server;
    private final String serverName;
    private byte[] request = {};

    /**
     * @param self who calls
     * @param server who should answer
     * @param serverName the server's address, for messages
     */
    public CallerProof(Credentials credentials, Party self, Party server, String serverName) {
        this.credentials = credentials;
        this.self = self;
        this.server = server;
        this.serverName = serverName;
    }

    /** The hello to send instead of {@code plain}, exactly as it is. */
    public Hello.Request offer(Hello.Request plain) {
        Hello.Request hello =
                credentials.areRequired() ? plain.withNonce(credentials.newNonce()) : plain;
        request = Transcript.encode(hello);
        return hello;
    }

    /**
     * Looks at the control part of the answer.
     *
     * @return what to send next; empty if the hello is complete without authentication
     * @throws AccessDeniedException if the server does not prove that it knows the secret: nothing
     *     else may be sent to it
     */
    public Optional<Authenticate.Request> answer(byte[] control) throws CrailException {
        Hello.Reply reply = Hello.Reply.decode(new WireReader(control));
        Secret secret = credentials.secret();
        if (secret == null) {
            if (reply.authentication() != Hello.AUTHENTICATION_NONE) {
                throw new ProtocolException(name() + " asks for a proof that was not offered");
            }
            return Optional.empty();
        }
        if (reply.authentication() == Hello.AUTHENTICATION_NONE) {
            throw new AccessDeniedException(
                    name()
                            + " does not prove that it belongs to the cluster, and "
                            + credentials
                            + " asks for that: set "
                            + SecurityKeys.SECRET_FILE.name()
                            + " there, or "
                            + SecurityKeys.AUTHENTICATION.name()
                            + " = off here if you trust the network");
        }
        byte[] challenge = reply.challenge();
        if (reply.authentication() != Hello.AUTHENTICATION_HMAC
                || challenge.length != Transcript.CHALLENGE_BYTES) {
            throw new ProtocolException(
                    name()
                            + " answers with authentication "
                            + reply.authentication()
                            + " and a challenge of "
                            + challenge.length
                            + " bytes");
        }
        Transcript transcript = new Transcript(request, control);
        byte[] shown =
                Arrays.copyOfRange(challenge, Transcript.NONCE_BYTES, Transcript.CHALLENGE_BYTES);
        if (!MessageDigest.isEqual(shown, transcript.proof(secret, server, self))) {
            throw new AccessDeniedException(
                    name()
                            + " has another secret than "
                            + credentials
                            + ": copy the secret file of that server here, if the address is right;"
                            + " if it is, and the files are equal, something between here and"
                            + " there is an impostor");
        }
        return Optional.of(new Authenticate.Request(transcript.proof(secret, self, server)));
    }

    private String name() {
        return server + " " + serverName;
    }
}
