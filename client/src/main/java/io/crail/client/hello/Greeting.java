// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.hello;

import io.crail.client.spi.RpcChannel;
import io.crail.error.CrailException;
import io.crail.protocol.authentication.CallerProof;
import io.crail.protocol.authentication.Credentials;
import io.crail.protocol.authentication.Party;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.message.Authenticate;
import io.crail.protocol.message.Hello;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The hello of one connection: one round trip, or two where there is a secret. Nothing but the
 * hello is sent before the server has proved that it knows the secret.
 */
public final class Greeting {
    /** What becomes of it; one of the methods is called, unless the connection breaks before. */
    public interface Outcome {
        /** The connection may be used. An exception is a refusal by the caller. */
        void greeted(Hello.Reply reply) throws CrailException;

        /**
         * It may not.
         *
         * @param believable false if a proof was due and did not come: then the error may be
         *     anybody's
         */
        void refused(CrailException cause, boolean believable);
    }

    private final RpcChannel channel;
    private final CallerProof proof;
    private final LongSupplier ids;
    private final int timeoutMillis;
    private final Outcome outcome;
    private boolean proved;

    private Greeting(
            RpcChannel channel,
            Credentials credentials,
            Party server,
            LongSupplier ids,
            int timeoutMillis,
            Outcome outcome) {
        this.channel = channel;
        this.proof = new CallerProof(credentials, Party.CLIENT, server, channel.peer());
        this.ids = ids;
        this.timeoutMillis = timeoutMillis;
        this.outcome = outcome;
        this.proved = !credentials.areRequired();
    }

    /**
     * Says hello.
     *
     * @param server who should answer
     * @param hello what to say, without authentication
     * @param ids request ids
     */
    public static void say(
            RpcChannel channel,
            Credentials credentials,
            Party server,
            Hello.Request hello,
            LongSupplier ids,
            int timeoutMillis,
            Outcome outcome) {
        new Greeting(channel, credentials, server, ids, timeoutMillis, outcome).say(hello);
    }

    private void say(Hello.Request hello) {
        channel.send(
                new SetupExchange(
                        ids.getAsLong(),
                        proof.offer(hello),
                        hello.session(),
                        timeoutMillis,
                        (control, epoch) -> answered(hello, control),
                        this::refused));
    }

    private void answered(Hello.Request hello, WireReader control) throws CrailException {
        byte[] answer = control.raw(control.remaining());
        Hello.Reply reply = Hello.Reply.decode(new WireReader(answer));
        Optional<Authenticate.Request> next = proof.answer(answer);
        proved = true;
        if (next.isEmpty()) {
            outcome.greeted(reply);
            return;
        }
        channel.send(
                new SetupExchange(
                        ids.getAsLong(),
                        next.get(),
                        hello.session(),
                        timeoutMillis,
                        (done, epoch) -> outcome.greeted(reply),
                        this::refused));
    }

    private void refused(CrailException cause) {
        outcome.refused(cause, proved);
    }
}
