// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.hadoop.config;

import io.crail.client.ClientConfig;
import io.crail.client.local.LocalCluster;
import io.crail.error.InvalidArgumentException;
import io.crail.protocol.config.ClientKeys;
import io.crail.protocol.config.ConfigurationLoader;
import io.crail.protocol.config.DurationText;
import io.crail.protocol.config.Endpoint;
import io.crail.protocol.config.Setting;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * What makes one client different from another. Equal settings share a client.
 *
 * @param namenodes where to connect
 * @param user who acts, unless a setting says otherwise
 * @param values keys of the client, {@code client.deadline}, and their values as text
 */
public record ClientSettings(
        List<Endpoint> namenodes, String user, SortedMap<String, String> values) {
    /** Port of a namenode if the URI names none. */
    public static final int DEFAULT_PORT = 9060;

    /**
     * Longest time that a new file system looks for its namenode. Default: {@code client.deadline}.
     */
    public static final String CONNECT_DEADLINE = "fs.crail.connect.deadline";

    /** What settings of this file system begin with in a configuration of Hadoop. */
    public static final String PREFIX = "fs.crail.";

    /** What files say is the size of their blocks. Default: 128 MiB. */
    public static final String BLOCK_SIZE = "fs.crail.block.size";

    /**
     * Paths that one bulk removal may name. Hadoop's suites demand one of all stores by default.
     */
    public static final String BULK_REMOVAL_SIZE = "fs.crail.bulk.delete.page.size";

    private static final long DEFAULT_BLOCK_SIZE = 128L << 20;

    /** All of them are under way at a time. */
    private static final int MAX_BULK_REMOVAL_SIZE = 1000;

    private static final List<String> PASSED_ON = List.of("client.", "security.");

    /**
     * Collects what concerns the client.
     *
     * @param uri {@code crail://host:port/}; without a host {@code fs.crail.client.namenodes}
     *     tells, else it is the local cluster that runs
     * @param environment of the process: where local clusters are
     * @throws InvalidArgumentException for a key that does not exist, or a value that is not
     *     allowed
     */
    public static ClientSettings of(
            URI uri, Configuration hadoop, String user, Map<String, String> environment)
            throws InvalidArgumentException {
        SortedMap<String, String> values = new TreeMap<>();
        for (Map.Entry<String, String> each : hadoop.getPropsWithPrefix(PREFIX).entrySet()) {
            String key = each.getKey();
            if (PASSED_ON.stream().anyMatch(key::startsWith)) {
                values.put(key, each.getValue());
            }
        }
        List<Endpoint> namenodes =
                uri.getAuthority() == null
                        ? namenodes(read(values), environment)
                        : List.of(endpoint(uri));
        // The URI decides: another list of the configuration makes no other client.
        values.remove(ClientKeys.NAMENODES.name());
        return new ClientSettings(namenodes, user, values);
    }

    /** Those that are set, else that of the local cluster that runs, else the default. */
    public static List<Endpoint> namenodes(
            io.crail.protocol.config.Configuration values, Map<String, String> environment)
            throws InvalidArgumentException {
        if (!values.isSet(ClientKeys.NAMENODES)) {
            Optional<Endpoint> local = LocalCluster.runningNamenode(environment);
            if (local.isPresent()) {
                return List.of(local.get());
            }
        }
        return values.get(ClientKeys.NAMENODES);
    }

    /**
     * What {@link #CONNECT_DEADLINE} says, written as all durations of crail; empty if it is not
     * set.
     *
     * @throws InvalidArgumentException if it is no duration, or none to wait for
     */
    public static Optional<Duration> patience(Configuration hadoop)
            throws InvalidArgumentException {
        String text = hadoop.get(CONNECT_DEADLINE);
        if (text == null) {
            return Optional.empty();
        }
        try {
            Duration patience = DurationText.parse(text);
            if (!patience.isZero()) {
                return Optional.of(patience);
            }
        } catch (IllegalArgumentException e) {
            throw new InvalidArgumentException(CONNECT_DEADLINE + ": " + e.getMessage(), e);
        }
        throw new InvalidArgumentException(
                CONNECT_DEADLINE + ": '" + text + "' leaves no time to connect");
    }

    /**
     * What files say is the size of their blocks, in bytes.
     *
     * @throws InvalidArgumentException if {@link #BLOCK_SIZE} is no size, or none for a block
     */
    public static long blockSize(Configuration hadoop) throws InvalidArgumentException {
        long size;
        try {
            size = hadoop.getLongBytes(BLOCK_SIZE, DEFAULT_BLOCK_SIZE);
        } catch (IllegalArgumentException e) {
            throw wrong(hadoop, BLOCK_SIZE, "a number of bytes such as 128m", e);
        }
        if (size < 1) {
            throw wrong(hadoop, BLOCK_SIZE, "at least one byte", null);
        }
        return size;
    }

    /**
     * How many paths a bulk removal may name.
     *
     * @throws InvalidArgumentException if {@link #BULK_REMOVAL_SIZE} is no such number
     */
    public static int bulkRemovalSize(Configuration hadoop) throws InvalidArgumentException {
        String right = "a number from 1 to " + MAX_BULK_REMOVAL_SIZE;
        try {
            int size = hadoop.getInt(BULK_REMOVAL_SIZE, 1);
            if (size >= 1 && size <= MAX_BULK_REMOVAL_SIZE) {
                return size;
            }
        } catch (NumberFormatException e) {
            throw wrong(hadoop, BULK_REMOVAL_SIZE, right, e);
        }
        throw wrong(hadoop, BULK_REMOVAL_SIZE, right, null);
    }

    private static InvalidArgumentException wrong(
            Configuration hadoop, String key, String right, @Nullable Exception cause) {
        return new InvalidArgumentException(
                key + " is '" + hadoop.get(key) + "', must be " + right, cause);
    }

    private static Endpoint endpoint(URI uri) throws InvalidArgumentException {
        @Nullable String host = uri.getHost();
        if (host == null || uri.getUserInfo() != null) {
            throw new InvalidArgumentException(
                    "'" + uri + "' is not of the form crail://host:port/");
        }
        String plain =
                host.startsWith("[") && host.endsWith("]")
                        ? host.substring(1, host.length() - 1)
                        : host;
        return new Endpoint(plain, uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort());
    }

    /** Who acts. */
    public String actingUser() {
        String named = values.get(ClientKeys.USER.name());
        return named == null || named.isEmpty() ? user : named;
    }

    /** The configuration of the client. */
    ClientConfig toConfig() throws InvalidArgumentException {
        return toConfig(Optional.empty());
    }

    /** The configuration of a client with another deadline. */
    ClientConfig toConfig(Optional<Duration> deadline) throws InvalidArgumentException {
        io.crail.protocol.config.Configuration read = read(values);
        String group = read.get(ClientKeys.GROUP);
        try {
            return ClientConfig.builder(read)
                    .namenodes(namenodes.stream().map(Endpoint::toString).toList())
                    .clientName("hadoop-" + ProcessHandle.current().pid())
                    .user(actingUser())
                    .group(group.isEmpty() ? actingUser() : group)
                    .deadline(deadline.orElse(read.get(ClientKeys.DEADLINE)))
                    .build();
        } catch (IllegalArgumentException e) {
            throw new InvalidArgumentException(
                    "configuration of the crail client: " + e.getMessage(), e);
        }
    }

    private static io.crail.protocol.config.Configuration read(SortedMap<String, String> values)
            throws InvalidArgumentException {
        List<Setting> settings = new ArrayList<>();
        for (Map.Entry<String, String> each : values.entrySet()) {
            settings.add(
                    Setting.ofCommandLine(each.getKey(), each.getValue(), PREFIX + each.getKey()));
        }
        return new ConfigurationLoader(Map.of()).commandLine(settings).load();
    }
}
