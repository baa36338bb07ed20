// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import io.crail.client.audit.AuditReport;
import io.crail.client.audit.ClusterAudit;
import io.crail.client.audit.Finding;
import io.crail.error.BusyException;
import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.protocol.frame.ProtocolLimits;
import io.crail.protocol.message.Drain;
import io.crail.protocol.message.Movable;
import io.crail.protocol.message.ServerState;
import io.crail.protocol.message.Statistics;
import java.util.concurrent.CompletionException;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** {@link CrailAdmin} of a connected client. */
final class ConnectedAdmin implements CrailAdmin {
    private final ClientCore core;
    private final Caller caller;

    ConnectedAdmin(ClientCore core, Caller caller) {
        this.core = core;
        this.caller = caller;
    }

    @Override
    public ServerState drain(int server) throws CrailException {
        return state(ask("drain storage server ", new Drain.Request(server, true)));
    }

    @Override
    public Revocation revoke(int server) throws CrailException {
        Drain.Reply reply = ask("take back storage server ", new Drain.Request(server, true, true));
        return new Revocation(reply.revokedBytes(), reply.endedLeases());
    }

    @Override
    public ServerState undrain(int server) throws CrailException {
        return state(ask("undrain storage server ", new Drain.Request(server, false)));
    }

    private static ServerState state(Drain.Reply reply) throws CrailException {
        return ServerState.ofWire(reply.state());
    }

    private Drain.Reply ask(String what, Drain.Request request) throws CrailException {
        return caller.call(
                what + request.server(),
                op ->
                        core.session()
                                .call(op, request)
                                .thenApply(
                                        answer -> {
                                            try {
                                                return Drain.Reply.decode(answer.control());
                                            } catch (CrailException e) {
                                                throw new CompletionException(e);
                                            }
                                        }));
    }

    @Override
    public Evacuation evacuate(int server, Progress progress) throws CrailException {
        MovePass pass =
                new MovePass(
                        core,
                        caller,
                        cursor ->
                                new Movable.Request(server, cursor, ProtocolLimits.MAX_REFERENCES),
                        MovePass.awayFrom(server, core, caller),
                        "what lies on storage server " + server,
                        progress);
        pass.run();
        if (pass.isStuck()) {
            throw new BusyException(
                    "storage server "
                            + server
                            + " cannot be emptied now: none of 64 blocks could be moved; "
                            + pass.failure());
        }
        for (Statistics.ServerCapacity each : statistics().servers()) {
            if (each.id() == server) {
                return new Evacuation(
                        pass.blocks(),
                        pass.bytes(),
                        pass.busy(),
                        pass.failed(),
                        pass.failure(),
                        each.capacity() - each.free());
            }
        }
        throw new InvalidArgumentException("there is no storage server " + server);
    }

    @Override
    public CrailTiering tiering() {
        return new ConnectedTiering(core, caller);
    }

    @Override
    public AuditReport check(@Nullable String path, LongConsumer progress) throws CrailException {
        try (AuditSource source = new AuditSource(core, caller)) {
            return new ClusterAudit(source, path, progress).run();
        }
    }

    @Override
    public boolean repair(Finding finding) throws CrailException {
        try (AuditSource source = new AuditSource(core, caller)) {
            return source.repair(finding);
        }
    }

    private Statistics.Reply statistics() throws CrailException {
        try (AuditSource source = new AuditSource(core, caller)) {
            return source.statistics();
        }
    }
}
