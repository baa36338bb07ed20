// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.authentication;

import io.crail.error.ProtocolException;
import io.crail.protocol.message.Hello;
import java.nio.charset.StandardCharsets;

/**
 * Who proves something to whom. Both names are in the label of a proof, so that no proof can be
 * reflected, or shown to a program of another kind.
 */
public enum Party {
    CLIENT("client"),
    STORAGE_SERVER("storage server"),
    NAMENODE("namenode");

    private final String text;

    Party(String text) {
        this.text = text;
    }

    /** The party of a role in a hello. */
    public static Party ofRole(int role) throws ProtocolException {
        return switch (role) {
            case Hello.ROLE_CLIENT -> CLIENT;
            case Hello.ROLE_STORAGE -> STORAGE_SERVER;
            default -> throw new ProtocolException("a peer of unknown role " + role);
        };
    }

    /** What a proof of this party for {@code verifier} begins with; ends with a zero byte. */
    byte[] labelFor(Party verifier) {
        return ("crail authentication 1: " + text + " to " + verifier.text + "\0")
                .getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public String toString() {
        return text;
    }
}
