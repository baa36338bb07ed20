// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.authentication;

import io.crail.error.AccessDeniedException;
import io.crail.error.CrailException;
import io.crail.protocol.config.SecurityKeys;
import io.crail.protocol.message.Authenticate;
import io.crail.protocol.message.Hello;
import java.security.MessageDigest;
import java.util.Arrays;

/** The server's side of all hellos. Thread-safe; keeps nothing of a connection. */
public final class Gatekeeper {
    private final Credentials credentials;
    private final Party self;

    /**
     * @param self which server this is
     */
    public Gatekeeper(Credentials credentials, Party self) {
        this.credentials = credentials;
        this.self = self;
    }

    /** Whether callers have to prove that they know the secret. */
    public boolean isClosed() {
        return credentials.areRequired();
    }

    /**
     * Challenges a caller. Only if {@link #isClosed}.
     *
     * @param control control part of the hello, as received
     * @param plain the answer, without authentication
     * @throws AccessDeniedException if the caller offers no authentication
     */
    public Challenge challenge(byte[] control, Hello.Request hello, Hello.Reply plain)
            throws CrailException {
        Secret secret = credentials.secret();
        if (secret == null) {
            throw new IllegalStateException("this " + self + " has no secret");
        }
        if (hello.authentication() != Hello.AUTHENTICATION_HMAC
                || hello.nonce().length != Transcript.NONCE_BYTES) {
            throw new AccessDeniedException(
                    "this "
                            + self
                            + " talks only to those who know its secret: set "
                            + SecurityKeys.SECRET_FILE.name()
                            + " to a copy of its secret file");
        }
        Party caller = Party.ofRole(hello.role());
        byte[] nonce = credentials.newNonce();
        byte[] challenge = Arrays.copyOf(nonce, Transcript.CHALLENGE_BYTES);
        Hello.Reply unproved = plain.withChallenge(challenge);
        Transcript transcript = new Transcript(control, Transcript.encode(unproved));
        byte[] own = transcript.proof(secret, self, caller);
        System.arraycopy(own, 0, challenge, Transcript.NONCE_BYTES, Transcript.PROOF_BYTES);
        return new Challenge(
                hello,
                plain.withChallenge(challenge),
                transcript.proof(secret, caller, self),
                self);
    }

    /** What a server keeps of a caller that it has challenged. Immutable. */
    public static final class Challenge {
        private final Hello.Request hello;
        private final Hello.Reply reply;
        private final byte[] expected;
        private final Party self;

        private Challenge(Hello.Request hello, Hello.Reply reply, byte[] expected, Party self) {
            this.hello = hello;
            this.reply = reply;
            this.expected = expected;
            this.self = self;
        }

        /** The hello, to be acted upon when the caller has answered. */
        public Hello.Request hello() {
            return hello;
        }

        /** The answer to the hello. */
        public Hello.Reply reply() {
            return reply;
        }

        /**
         * Checks the caller's proof, in the same time for every wrong one.
         *
         * @throws AccessDeniedException if it is wrong
         */
        public void check(Authenticate.Request answer) throws AccessDeniedException {
            if (!MessageDigest.isEqual(expected, answer.proof())) {
                throw new AccessDeniedException(
                        "the caller has another secret than this "
                                + self
                                + ": set its "
                                + SecurityKeys.SECRET_FILE.name()
                                + " to a copy of the secret file here");
            }
        }
    }
}
