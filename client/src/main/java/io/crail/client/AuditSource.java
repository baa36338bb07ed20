// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import io.crail.client.audit.ClusterAudit;
import io.crail.error.CrailException;
import io.crail.error.ProtocolException;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.message.Audit;
import io.crail.protocol.message.Message;
import io.crail.protocol.message.Statistics;
import java.util.concurrent.CompletionException;

/** Asks the namenode what a check wants to know. Thread-safe. */
final class AuditSource implements ClusterAudit.Source {
    @FunctionalInterface
    private interface Decoder<T> {
        T decode(WireReader reader) throws ProtocolException;
    }

    private final ClientCore core;
    private final Caller caller;

    AuditSource(ClientCore core, Caller caller) {
        this.core = core;
        this.caller = caller;
    }

    @Override
    public Audit.Reply audit(Audit.Request request) throws CrailException {
        return ask("check the cluster", request, Audit.Reply::decode);
    }

    @Override
    public Statistics.Reply statistics() throws CrailException {
        return ask("read statistics", new Statistics.Request(), Statistics.Reply::decode);
    }

    private <T> T ask(String what, Message request, Decoder<T> decoder) throws CrailException {
        return caller.call(
                what,
                op ->
                        core.session()
                                .call(op, request)
                                .thenApply(
                                        reply -> {
                                            try {
                                                return decoder.decode(reply.control());
                                            } catch (ProtocolException e) {
                                                throw new CompletionException(e);
                                            }
                                        }));
    }
}
