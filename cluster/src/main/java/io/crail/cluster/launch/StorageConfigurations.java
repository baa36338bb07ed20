// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cluster.launch;

import static io.crail.protocol.config.StorageKeys.ADVERTISE;
import static io.crail.protocol.config.StorageKeys.BIND_HOST;
import static io.crail.protocol.config.StorageKeys.BIND_PORT;
import static io.crail.protocol.config.StorageKeys.BUSY_POLL;
import static io.crail.protocol.config.StorageKeys.CAPACITY;
import static io.crail.protocol.config.StorageKeys.DIRECTORY;
import static io.crail.protocol.config.StorageKeys.FORMAT;
import static io.crail.protocol.config.StorageKeys.HOST_NAME;
import static io.crail.protocol.config.StorageKeys.HUGE_PAGES;
import static io.crail.protocol.config.StorageKeys.LOCATION;
import static io.crail.protocol.config.StorageKeys.REMOVE_ON_EXIT;
import static io.crail.protocol.config.StorageKeys.SEGMENT_SIZE;
import static io.crail.protocol.config.StorageKeys.SHARED_MEMORY;
import static io.crail.protocol.config.StorageKeys.STATUS;
import static io.crail.protocol.config.StorageKeys.STATUS_HOST;
import static io.crail.protocol.config.StorageKeys.STATUS_PORT;
import static io.crail.protocol.config.StorageKeys.STORAGE_CLASS;
import static io.crail.protocol.config.StorageKeys.THREADS;
import static io.crail.protocol.config.StorageKeys.TIER;
import static io.crail.protocol.config.StorageKeys.TRANSPORT;

import io.crail.error.InvalidArgumentException;
import io.crail.protocol.authentication.AuthenticationConfig;
import io.crail.protocol.config.ClientKeys;
import io.crail.protocol.config.Configuration;
import io.crail.protocol.config.Endpoint;
import io.crail.protocol.segment.SegmentLayout;
import io.crail.status.StatusConfig;
import io.crail.storage.StorageConfig;
import io.crail.storage.registration.NamenodeAddress;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** Builds the configuration of a storage server from values by key. */
final class StorageConfigurations {
    private StorageConfigurations() {}

    static StorageConfig of(Configuration values) throws InvalidArgumentException {
        List<Endpoint> namenodes = values.get(ClientKeys.NAMENODES);
        if (namenodes.isEmpty()) {
            throw new InvalidArgumentException(
                    ClientKeys.NAMENODES + " is empty; a storage server needs a namenode");
        }
        long capacity =
                isFlash(values)
                        ? FlashConfigurations.capacity(values)
                        : values.get(CAPACITY).bytes();
        long segment = SegmentLayout.segmentSize(capacity, values.get(SEGMENT_SIZE).bytes());
        StorageConfig.Builder builder =
                StorageConfig.builder(address(namenodes.get(0)))
                        .tier(values.get(TIER))
                        .bind(values.get(BIND_HOST), values.get(BIND_PORT))
                        .advertisedHosts(words(values.get(ADVERTISE)))
                        .hostName(hostName(values))
                        .storageClass(storageClass(values))
                        .locationClass(values.get(LOCATION))
                        .capacity(capacity)
                        .segmentSize(segment)
                        .format(values.get(FORMAT))
                        .removeOnExit(values.get(REMOVE_ON_EXIT))
                        .authentication(AuthenticationConfig.of(values))
                        .status(
                                new StatusConfig(
                                        values.get(STATUS),
                                        values.get(STATUS_HOST),
                                        values.get(STATUS_PORT)))
                        .transport(values.get(TRANSPORT));
        if (isFlash(values)) {
            FlashConfigurations.apply(values, builder);
        } else {
            memory(values, builder);
        }
        for (Endpoint further : namenodes.subList(1, namenodes.size())) {
            builder.alsoAt(address(further));
        }
        Path directory = values.get(DIRECTORY);
        if (!directory.toString().isEmpty()) {
            builder.directory(directory.toAbsolutePath());
        }
        return builder.build();
    }

    private static boolean isFlash(Configuration values) {
        return values.get(TIER).equals(FlashConfigurations.TIER);
    }

    /** Flash is slower than memory: it comes second, unless somebody says otherwise. */
    private static int storageClass(Configuration values) {
        return isFlash(values) && !values.isSet(STORAGE_CLASS)
                ? FlashConfigurations.STORAGE_CLASS
                : values.get(STORAGE_CLASS);
    }

    private static void memory(Configuration values, StorageConfig.Builder builder) {
        builder.tierOption("threads", values.get(THREADS).toString())
                .tierOption("busy_poll", values.get(BUSY_POLL) ? "on" : "off")
                .tierOption("shared_memory", values.get(SHARED_MEMORY) ? "on" : "off");
        Path hugePages = values.get(HUGE_PAGES);
        if (!hugePages.toString().isEmpty()) {
            builder.hugePages(hugePages);
        }
    }

    private static NamenodeAddress address(Endpoint endpoint) {
        return new NamenodeAddress(endpoint.host(), endpoint.port());
    }

    private static List<String> words(String list) {
        return Arrays.stream(list.split(",", -1))
                .map(String::trim)
                .filter(word -> !word.isEmpty())
                .toList();
    }

    private static String hostName(Configuration values) {
        String configured = values.get(HOST_NAME);
        if (!configured.isEmpty()) {
            return configured;
        }
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }
}
