// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.status;

import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import io.crail.namenode.engine.RequestCounters;
import io.crail.namenode.engine.StatusView;
import io.crail.namenode.log.Durability;
import io.crail.namenode.rpc.Traffic;
import io.crail.protocol.message.MessageType;
import io.crail.protocol.message.ServerState;
import io.crail.protocol.message.Statistics;
import io.crail.protocol.message.TierStatus;
import io.crail.status.Latencies;
import io.crail.status.Scrape;
import io.crail.status.StatusSource;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Shows a namenode. Counters are read as they are; what only the engine's thread may look at is
 * asked for in that thread, once a scrape and at the price of one question for statistics, and not
 * waited for longer than {@link #PATIENCE}.
 */
public final class NamenodeStatus implements StatusSource {
    /** The engine, asked in its own thread. */
    public interface Questions {
        StatusView ask(Duration patience) throws CrailException;
    }

    private static final Duration PATIENCE = Duration.ofSeconds(2);

    /** Tiers have few names; should servers announce more, the rest is summed. */
    private static final int MAX_TIERS = 8;

    private static final String OTHER = "other";

    private final RequestCounters counters;
    private final Traffic traffic;
    private final Questions engine;
    private final LongSupplier synced;
    private final Durability durability;

    public NamenodeStatus(
            RequestCounters counters,
            Traffic traffic,
            Questions engine,
            LongSupplier synced,
            Durability durability) {
        this.counters = counters;
        this.traffic = traffic;
        this.engine = engine;
        this.synced = synced;
        this.durability = durability;
    }

    @Override
    public String role() {
        return "namenode";
    }

    @Override
    public Optional<String> problem() {
        try {
            return engine.ask(PATIENCE).statistics().readOnly()
                    ? Optional.of("read-only: the log has failed, and the namenode's log says why")
                    : Optional.empty();
        } catch (CrailException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    @Override
    public void collect(Scrape scrape) throws CrailException {
        // Before the question: later, records may be on disk that the answer does not know yet.
        long onDisk = synced.getAsLong();
        StatusView view = engine.ask(PATIENCE);
        Statistics.Reply numbers = view.statistics();
        scrape.value(NamenodeMetrics.UPTIME, numbers.uptimeMillis() / 1e3);
        scrape.value(NamenodeMetrics.EPOCH, numbers.epoch());
        scrape.flag(NamenodeMetrics.READ_ONLY, numbers.readOnly());
        requests(scrape);
        scrape.value(NamenodeMetrics.CONNECTIONS, traffic.open());
        scrape.value(NamenodeMetrics.ACCEPTED, traffic.accepted());
        scrape.value(NamenodeMetrics.RECEIVED, traffic.receivedBytes());
        scrape.value(NamenodeMetrics.SENT, traffic.sentBytes());
        scrape.value(NamenodeMetrics.SESSIONS, numbers.sessions());
        scrape.value(NamenodeMetrics.NODES, numbers.directories(), "directory");
        scrape.value(NamenodeMetrics.NODES, numbers.files(), "file");
        scrape.value(NamenodeMetrics.NODES, numbers.tables(), "table");
        scrape.value(NamenodeMetrics.NODES, numbers.keyValues(), "key_value");
        servers(scrape, view);
        blocks(scrape, view);
        tiers(scrape, view.tiers());
        scrape.value(NamenodeMetrics.INLINE, numbers.inlineBytes());
        scrape.value(NamenodeMetrics.INLINE_LIMIT, numbers.inlineLimit());
        scrape.value(NamenodeMetrics.LOG_RECORDS, numbers.logPosition());
        scrape.value(NamenodeMetrics.LOG_BYTES, numbers.logBytes());
        long unsaved = numbers.logPosition() - numbers.snapshotPosition();
        scrape.value(NamenodeMetrics.LOG_LAG, unsaved, "snapshot");
        if (durability == Durability.SYNC && onDisk > 0) {
            long unsynced = Math.max(0, numbers.logPosition() - onDisk);
            scrape.value(NamenodeMetrics.LOG_LAG, unsynced, "disk");
        }
    }

    private void requests(Scrape scrape) {
        for (MessageType type : MessageType.values()) {
            count(scrape, type, label(type));
            Latencies durations = counters.durations(type);
            if (durations != null) {
                scrape.durations(
                        NamenodeMetrics.DURATION,
                        new Latencies.Total().add(durations),
                        label(type));
            }
        }
        count(scrape, null, "unknown");
        for (ErrorCode code : ErrorCode.values()) {
            long errors = counters.errors(code);
            if (errors > 0) {
                scrape.value(NamenodeMetrics.ERRORS, errors, label(code));
            }
        }
    }

    private void count(Scrape scrape, @Nullable MessageType type, String label) {
        long requests = counters.requests(type);
        if (requests > 0) {
            scrape.value(NamenodeMetrics.REQUESTS, requests, label);
        }
    }

    private static void servers(Scrape scrape, StatusView view) {
        Map<ServerState, Integer> byState = new EnumMap<>(ServerState.class);
        view.servers().forEach(server -> byState.merge(server.state(), 1, Integer::sum));
        for (ServerState state : ServerState.values()) {
            scrape.value(NamenodeMetrics.SERVERS, byState.getOrDefault(state, 0), label(state));
        }
    }

    private static void tiers(Scrape scrape, TierStatus.Reply tiers) {
        for (TierStatus.ClassUse use : tiers.classes()) {
            String label = Integer.toString(use.storageClass());
            scrape.value(NamenodeMetrics.TIER_TO_DEMOTE, use.toDemote(), label);
            scrape.value(NamenodeMetrics.TIER_DEMOTED, use.demoted(), label);
            scrape.value(NamenodeMetrics.TIER_PROMOTED, use.promoted(), label);
        }
        scrape.value(NamenodeMetrics.TIER_MOVERS, tiers.movers().size());
        scrape.flag(NamenodeMetrics.TIER_PAUSED, tiers.paused());
    }

    private static void blocks(Scrape scrape, StatusView view) {
        Map<String, Map<Integer, long[]>> tiers = new TreeMap<>();
        for (StatusView.ServerBlocks server : view.servers()) {
            boolean known = tiers.containsKey(server.tier()) || tiers.size() < MAX_TIERS;
            Statistics.Capacity bytes = server.bytes();
            long[] sums =
                    tiers.computeIfAbsent(known ? server.tier() : OTHER, key -> new TreeMap<>())
                            .computeIfAbsent(bytes.storageClass(), key -> new long[6]);
            sums[0] += bytes.free();
            sums[1] += bytes.granted();
            sums[2] += bytes.committed();
            sums[3] += bytes.revoking();
            sums[4] += bytes.quarantined();
            sums[5] += bytes.lost();
        }
        String[] states = {"free", "granted", "committed", "revoking", "quarantined", "lost"};
        tiers.forEach(
                (tier, classes) ->
                        classes.forEach(
                                (number, sums) -> {
                                    for (int i = 0; i < states.length; i++) {
                                        scrape.value(
                                                NamenodeMetrics.BLOCKS,
                                                sums[i],
                                                tier,
                                                number.toString(),
                                                states[i]);
                                    }
                                }));
    }

    private static String label(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
