// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.registration;

import io.crail.error.CrailException;
import io.crail.error.InternalException;
import io.crail.error.VersionMismatchException;
import io.crail.protocol.authentication.CallerProof;
import io.crail.protocol.authentication.Party;
import io.crail.protocol.frame.ProtocolLimits;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.message.Authenticate;
import io.crail.protocol.message.AwaitCommands;
import io.crail.protocol.message.BlocksFreed;
import io.crail.protocol.message.Heartbeat;
import io.crail.protocol.message.Hello;
import io.crail.protocol.message.RegisterSegment;
import io.crail.protocol.message.RegisterServer;
import io.crail.storage.spi.Admission;
import io.crail.storage.spi.FreedListener;
import io.crail.storage.spi.TierStatistics;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What is said over one connection to the namenode, from hello to its loss. See {@link
 * Registration} for the order. Used by the registration thread only.
 */
final class Conversation {
    private static final UUID ANY = new UUID(0, 0);
    private static final int AWAIT_MILLIS = 1_000;

    /** 22 bytes each: stays below the largest control part. */
    private static final int MAX_FREED = 8_000;

    private static final int MIN_HEARTBEAT_MILLIS = 10;

    /**
     * Shortest time from one round of hearing of blocks to revoke and telling of those freed to the
     * next. A single block is freed at once. Where values are replaced one after another, a round
     * for each costs namenode and client more than the put itself; so one round serves all of them.
     */
    private static final long ROUND_NANOS = TimeUnit.MILLISECONDS.toNanos(3);

    /**
     * The same after a round of {@link #MUCH}: what waits to be freed is written meanwhile, in
     * other blocks, which are out of the caches the sooner the more they are (ADR 12).
     */
    private static final long SHORT_ROUND_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** Bytes of blocks to revoke, about a cache of a core. */
    private static final long MUCH = 2 << 20;

    private final Registration registration;
    private final long timeoutMillis;
    private final Pace rounds;
    private final ArrayDeque<RegisterSegment.Request> parts = new ArrayDeque<>();
    private RegisterServer.@Nullable Reply identity;
    private long epoch;
    private int announced;
    private boolean announcing;
    private boolean awaiting;

    /** Blocks were revoked since the last sending. */
    private boolean revoked;

    private boolean reporting;
    private boolean beating;
    private long nextHeartbeat;

    Conversation(Registration registration) {
        this.registration = registration;
        this.timeoutMillis = registration.settings().requestTimeout().toMillis();
        this.rounds = new Pace(ROUND_NANOS, SHORT_ROUND_NANOS, registration.nanoTime());
    }

    boolean wasRegistered() {
        return identity != null;
    }

    /** Talks to the namenode until the connection is lost or the registration closed. */
    void hold(NamenodeAddress address) throws CrailException, UnusableTierException {
        try (Link link = Link.open(address, registration.selector(), registration::nanoTime)) {
            Hello.Reply greeting = hello(link, address);
            if (greeting == null) {
                return;
            }
            registration.join(greeting.cluster());
            checkEpoch(greeting.cluster(), greeting.epoch());
            if (!register(link)) {
                return;
            }
            while (!registration.isClosed()) {
                sendWhatIsDue(link);
                link.poll(millisUntilNextSending());
            }
        } catch (CrailException e) {
            throw e;
        } catch (IOException e) {
            throw new InternalException("namenode " + address + ": " + e.getMessage(), e);
        }
    }

    /** Null if the registration was closed meanwhile. */
    private Hello.@Nullable Reply hello(Link link, NamenodeAddress address) throws CrailException {
        UUID cluster = registration.cluster();
        CallerProof proof =
                new CallerProof(
                        registration.settings().credentials(),
                        Party.STORAGE_SERVER,
                        Party.NAMENODE,
                        address.toString());
        Hello.Request hello =
                new Hello.Request(
                        ProtocolLimits.HELLO_MAGIC,
                        ProtocolLimits.MIN_VERSION,
                        ProtocolLimits.VERSION,
                        Hello.ROLE_STORAGE,
                        Hello.AUTHENTICATION_NONE,
                        0,
                        cluster == null ? ANY : cluster,
                        cluster == null ? 0 : registration.directory().highestEpoch(cluster),
                        0,
                        0,
                        new byte[16],
                        0,
                        registration.settings().host());
        Hello.@Nullable Reply[] greeting = new Hello.Reply[1];
        link.request(
                proof.offer(hello),
                timeoutMillis,
                (from, control) -> {
                    byte[] answer = control.raw(control.remaining());
                    Hello.Reply reply = Hello.Reply.decode(new WireReader(answer));
                    Optional<Authenticate.Request> next = proof.answer(answer);
                    if (next.isEmpty()) {
                        greeting[0] = reply;
                    } else {
                        link.request(
                                next.get(), timeoutMillis, (again, done) -> greeting[0] = reply);
                    }
                });
        while (greeting[0] == null && !registration.isClosed()) {
            link.poll(timeoutMillis);
        }
        return greeting[0];
    }

    private void checkEpoch(UUID cluster, long offered) throws CrailException {
        long highest = registration.directory().highestEpoch(cluster);
        if (offered < highest) {
            throw new VersionMismatchException(
                    "the namenode is of epoch "
                            + offered
                            + ", but one of epoch "
                            + highest
                            + " has taken over; stop the old one");
        }
        registration.directory().raiseEpoch(cluster, offered);
        epoch = offered;
    }

    /** False if the registration was closed meanwhile. */
    private boolean register(Link link) throws CrailException {
        RegistrationSettings settings = registration.settings();
        link.request(
                new RegisterServer.Request(
                        registration.directory().identity(),
                        settings.host(),
                        settings.tier(),
                        settings.storageClass(),
                        settings.locationClass(),
                        registration.tier().endpoints(),
                        settings.software(),
                        registration.statusUrl(),
                        registration.tier().smallestBlock()),
                timeoutMillis,
                (from, control) -> {
                    checkSpeaker(from);
                    admitted(RegisterServer.Reply.decode(control));
                });
        while (identity == null && !registration.isClosed()) {
            link.poll(timeoutMillis);
        }
        return identity != null;
    }

    private void admitted(RegisterServer.Reply reply) throws CrailException {
        UUID cluster = Objects.requireNonNull(registration.cluster());
        int smallest = registration.tier().smallestBlock();
        if (reply.smallestBlock() < smallest) {
            throw new VersionMismatchException(
                    "the namenode is of an older version and would grant blocks of "
                            + reply.smallestBlock()
                            + " bytes, tier "
                            + registration.settings().tier()
                            + " has none below "
                            + smallest
                            + "; update the namenode first");
        }
        registration.tier().admit(new Admission(cluster, reply.id(), reply.sealKey(), epoch));
        identity = reply;
        nextHeartbeat = registration.nanoTime();
        registration.registeredAs(reply.id());
    }

    private void sendWhatIsDue(Link link) {
        int server = server();
        announce(link, server);
        beat(link, server);
        if (revoked && !announcing) {
            report(link, server); // Most of them are free already, as nobody had them pinned.
        }
        revoked = false;
        long now = registration.nanoTime();
        if (isRoundDue() && rounds.isDue(now)) {
            rounds.begin(now);
            await(link, server);
            report(link, server);
        }
    }

    private boolean isRoundDue() {
        return !announcing && (!awaiting || (!reporting && !registration.freed().isEmpty()));
    }

    private void await(Link link, int server) {
        if (awaiting) {
            return;
        }
        awaiting = true;
        link.request(
                new AwaitCommands.Request(server, AWAIT_MILLIS),
                AWAIT_MILLIS + timeoutMillis,
                (from, control) -> {
                    checkSpeaker(from);
                    awaiting = false;
                    revoke(AwaitCommands.Reply.decode(control).revokes());
                });
    }

    /** Announces segments one part at a time, so that parts arrive in order. */
    private void announce(Link link, int server) {
        if (announcing) {
            return;
        }
        if (parts.isEmpty() && announced < registration.segments().size()) {
            parts.addAll(
                    SegmentReport.of(
                            server,
                            registration.segments().get(announced),
                            SegmentReport.MAX_RUNS));
            announced++;
        }
        RegisterSegment.Request part = parts.poll();
        if (part == null) {
            registration.announced(announced);
            return;
        }
        announcing = true;
        link.request(
                part,
                timeoutMillis,
                (from, control) -> {
                    checkSpeaker(from);
                    announcing = false;
                });
    }

    private void beat(Link link, int server) {
        long now = registration.nanoTime();
        if (beating || now - nextHeartbeat < 0) {
            return;
        }
        int period = Math.max(MIN_HEARTBEAT_MILLIS, identity().heartbeatMillis());
        nextHeartbeat = now + TimeUnit.MILLISECONDS.toNanos(period);
        beating = true;
        TierStatistics statistics = registration.tier().statistics();
        link.request(
                new Heartbeat.Request(
                        server,
                        statistics.connections(),
                        statistics.inFlight(),
                        statistics.bytesRead(),
                        statistics.bytesWritten()),
                timeoutMillis,
                (from, control) -> {
                    checkSpeaker(from);
                    beating = false;
                    registration.hearOfTiers(Heartbeat.Reply.decode(control).tiers());
                });
    }

    private long millisUntilNextSending() {
        long now = registration.nanoTime();
        // While it beats, an answer, or its absence, ends the wait earlier.
        long pause = beating ? timeoutMillis : TimeUnit.NANOSECONDS.toMillis(nextHeartbeat - now);
        if (isRoundDue()) {
            pause = Math.min(pause, rounds.millisLeft(now));
        }
        return Math.max(1, pause);
    }

    private void report(Link link, int server) {
        if (reporting) {
            return;
        }
        FreedQueue.Batch batch = registration.freed().batch(MAX_FREED);
        if (batch.isEmpty()) {
            return;
        }
        reporting = true;
        link.request(
                new BlocksFreed.Request(server, batch.blocks(), batch.held()),
                timeoutMillis,
                (from, control) -> {
                    checkSpeaker(from);
                    registration.freed().confirmed(batch);
                    reporting = false;
                });
    }

    private void revoke(List<AwaitCommands.Revoke> revokes) {
        long bytes = 0;
        for (AwaitCommands.Revoke each : revokes) {
            bytes += each.length();
            revoke(each);
        }
        revoked = !revokes.isEmpty();
        if (bytes >= MUCH) {
            rounds.hurry();
        }
    }

    private void revoke(AwaitCommands.Revoke revoke) {
        registration
                .tier()
                .revoke(
                        revoke.segment(),
                        revoke.record(),
                        revoke.length(),
                        revoke.generation(),
                        new FreedListener() {
                            @Override
                            public void freed(long generation) {
                                registration.freed().add(revoke, generation);
                                registration.selector().wakeup();
                            }

                            @Override
                            public void held() {
                                registration.freed().addHeld(revoke);
                                registration.selector().wakeup();
                            }
                        });
    }

    /** Every answer carries the epoch of whoever gave it. */
    private void checkSpeaker(long from) throws VersionMismatchException {
        if (from < epoch) {
            throw new VersionMismatchException(
                    "an answer of epoch " + from + " in a conversation of epoch " + epoch);
        }
    }

    private int server() {
        return identity().id();
    }

    private RegisterServer.Reply identity() {
        return Objects.requireNonNull(identity, "not registered yet");
    }
}
