// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import io.crail.protocol.message.ServerState;
import java.util.List;

/**
 * A storage server as the namenode knows it.
 *
 * @param id never reused
 * @param state what the namenode thinks of it
 * @param tier "dram", "nvmf"
 * @param storageClass rank of its tier
 * @param host its name
 * @param locationClass where it is
 * @param endpoints {@code transport://host:port}, in order of preference
 */
public record StorageServer(
        int id,
        ServerState state,
        String tier,
        int storageClass,
        String host,
        String locationClass,
        List<String> endpoints) {}
