// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage;

import io.crail.protocol.authentication.AuthenticationConfig;
import io.crail.status.StatusConfig;
import io.crail.storage.registration.NamenodeAddress;
import io.crail.storage.spi.ServiceLimits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Everything a storage server is told. Immutable; made by {@link #builder}. Sizes are in bytes.
 *
 * @param namenodes where to look for the namenode, at least one
 * @param tier name of the tier, "dram"
 * @param bindHost address to listen on
 * @param bindPort port to listen on, 0 = any free one
 * @param advertisedHosts hosts to announce to clients; empty = {@code hostName}, or the address
 *     bound to when that is one of this machine only
 * @param hostName the server's name
 * @param storageClass rank of the tier, 0..255
 * @param locationClass where the server is, for affinity; empty = nowhere in particular
 * @param capacity bytes to offer, in segments; what does not fill a segment is left out
 * @param segmentSize bytes of a segment, a multiple of 1 MiB, at most 1 GiB
 * @param directory where segments and identity are kept; null = a place in /dev/shm, by user and
 *     port. At most one server may use it at a time.
 * @param format whether to empty the directory first: the server is then a new one
 * @param removeOnExit whether an orderly close removes segments and identity; else they stay, and
 *     the next start attaches them
 * @param limits bounds of the data service
 * @param requestTimeout for an answer of the namenode
 * @param minBackoff wait before the first new attempt to reach the namenode
 * @param maxBackoff longest such wait
 * @param tierOptions settings of the tier: for "dram" {@code transport} (auto, nio, epoll,
 *     io_uring), {@code threads} (0 = one per processor), {@code shared_memory}, {@code busy_poll}
 *     (on, off) and {@code huge_pages} (a directory on hugetlbfs for the segment files, each server
 *     uses one of its own below it)
 * @param authentication who may connect, and what is shown to the namenode
 * @param status where to show the status
 */
public record StorageConfig(
        List<NamenodeAddress> namenodes,
        String tier,
        String bindHost,
        int bindPort,
        List<String> advertisedHosts,
        String hostName,
        int storageClass,
        String locationClass,
        long capacity,
        long segmentSize,
        @Nullable Path directory,
        boolean format,
        boolean removeOnExit,
        ServiceLimits limits,
        Duration requestTimeout,
        Duration minBackoff,
        Duration maxBackoff,
        Map<String, String> tierOptions,
        AuthenticationConfig authentication,
        StatusConfig status) {
    public static final long DEFAULT_SEGMENT_SIZE = 256L << 20;
    public static final long DEFAULT_CAPACITY = 1L << 30;

    public StorageConfig {
        namenodes = List.copyOf(namenodes);
        advertisedHosts = List.copyOf(advertisedHosts);
        tierOptions = Map.copyOf(tierOptions);
        if (namenodes.isEmpty()) {
            throw new IllegalArgumentException("a storage server needs a namenode's address");
        }
        if (bindPort < 0 || bindPort > 0xFFFF) {
            throw new IllegalArgumentException("bind port " + bindPort + " is outside 0..65535");
        }
        if (storageClass < 0 || storageClass > 255) {
            throw new IllegalArgumentException(
                    "storage class " + storageClass + " is outside 0..255");
        }
        if (hostName.isEmpty()) {
            throw new IllegalArgumentException("the host name is empty");
        }
    }

    /** A builder with all defaults: one namenode, DRAM tier on loopback, 1 GiB. */
    public static Builder builder(NamenodeAddress namenode) {
        return new Builder(namenode);
    }

    /** Collects settings; not thread-safe. What was not set keeps its default. */
    public static final class Builder {
        private final List<NamenodeAddress> namenodes = new ArrayList<>();
        private String tier = "dram";
        private String bindHost = "127.0.0.1";
        private int bindPort;
        private List<String> advertisedHosts = List.of();
        private String hostName = "localhost";
        private int storageClass;
        private String locationClass = "";
        private long capacity = DEFAULT_CAPACITY;
        private long segmentSize = DEFAULT_SEGMENT_SIZE;
        private @Nullable Path directory;
        private boolean format;
        private boolean removeOnExit;
        private ServiceLimits limits = ServiceLimits.DEFAULT;
        private Duration requestTimeout = Duration.ofSeconds(10);
        private Duration minBackoff = Duration.ofMillis(50);
        private Duration maxBackoff = Duration.ofSeconds(1);
        private final Map<String, String> tierOptions = new HashMap<>();
        private AuthenticationConfig authentication = AuthenticationConfig.DEFAULT;
        private StatusConfig status = StatusConfig.OFF;

        private Builder(NamenodeAddress namenode) {
            namenodes.add(namenode);
        }

        /** A further address to look for the namenode at. */
        public Builder alsoAt(NamenodeAddress namenode) {
            namenodes.add(namenode);
            return this;
        }

        /** Where to show the status; default nowhere. */
        public Builder status(StatusConfig value) {
            status = value;
            return this;
        }

        public Builder tier(String value) {
            tier = value;
            return this;
        }

        public Builder bind(String host, int port) {
            bindHost = host;
            bindPort = port;
            return this;
        }

        public Builder advertisedHosts(List<String> value) {
            advertisedHosts = List.copyOf(value);
            return this;
        }

        public Builder hostName(String value) {
            hostName = value;
            return this;
        }

        public Builder storageClass(int value) {
            storageClass = value;
            return this;
        }

        public Builder locationClass(String value) {
            locationClass = value;
            return this;
        }

        public Builder capacity(long bytes) {
            capacity = bytes;
            return this;
        }

        public Builder segmentSize(long bytes) {
            segmentSize = bytes;
            return this;
        }

        public Builder directory(Path value) {
            directory = value;
            return this;
        }

        public Builder format(boolean value) {
            format = value;
            return this;
        }

        public Builder removeOnExit(boolean value) {
            removeOnExit = value;
            return this;
        }

        public Builder limits(ServiceLimits value) {
            limits = value;
            return this;
        }

        public Builder requestTimeout(Duration value) {
            requestTimeout = value;
            return this;
        }

        public Builder backoff(Duration min, Duration max) {
            minBackoff = min;
            maxBackoff = max;
            return this;
        }

        /**
         * Who may connect, and what is shown to the namenode; without a secret everybody may, but
         * on loopback only.
         */
        public Builder authentication(AuthenticationConfig value) {
            authentication = value;
            return this;
        }

        public Builder tierOption(String key, String value) {
            tierOptions.put(key, value);
            return this;
        }

        /** The transport of the DRAM tier: auto, nio, epoll or io_uring. */
        public Builder transport(String value) {
            return tierOption("transport", value);
        }

        /** A directory on hugetlbfs, to keep the segments of the DRAM tier in huge pages. */
        public Builder hugePages(Path directory) {
            return tierOption("huge_pages", directory.toAbsolutePath().toString());
        }

        public StorageConfig build() {
            return new StorageConfig(
                    namenodes,
                    tier,
                    bindHost,
                    bindPort,
                    advertisedHosts,
                    hostName,
                    storageClass,
                    locationClass,
                    capacity,
                    segmentSize,
                    directory,
                    format,
                    removeOnExit,
                    limits,
                    requestTimeout,
                    minBackoff,
                    maxBackoff,
                    tierOptions,
                    authentication,
                    status);
        }
    }
}
