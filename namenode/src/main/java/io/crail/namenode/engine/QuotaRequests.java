// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.engine;

import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.error.WrongNodeTypeException;
import io.crail.namenode.state.ChangeQuota;
import io.crail.namenode.tree.ClassBytes;
import io.crail.namenode.tree.ContainerNode;
import io.crail.namenode.tree.Node;
import io.crail.namenode.tree.Quota;
import io.crail.namenode.tree.Totals;
import io.crail.protocol.message.SetQuota;
import io.crail.protocol.message.Summary;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** What lies below a node, and what may. */
final class QuotaRequests {
    private final Core core;
    private final Paths paths;

    QuotaRequests(Core core, Paths paths) {
        this.core = core;
        this.paths = paths;
    }

    void set(Request request) throws CrailException {
        SetQuota.Request wanted = SetQuota.Request.decode(request.control());
        Node node = paths.existing(request, wanted.path());
        if (!(node instanceof ContainerNode)) {
            throw new WrongNodeTypeException(
                    node.path()
                            + " is a "
                            + node.type()
                            + ", only a DIRECTORY, MULTIFILE or TABLE has a quota");
        }
        if (wanted.nodes() < Quota.NO_LIMIT) {
            throw new InvalidArgumentException("a quota of " + wanted.nodes() + " nodes");
        }
        SortedMap<Integer, Long> bytes = new TreeMap<>();
        for (SetQuota.ClassLimit limit : wanted.classes()) {
            if (limit.storageClass() != Quota.ALL_CLASSES) {
                Paths.storageClass(limit.storageClass());
            }
            if (bytes.put(limit.storageClass(), limit.bytes()) != null) {
                throw new InvalidArgumentException(
                        "storage class " + limit.storageClass() + " is limited twice");
            }
        }
        core.commit(request, new ChangeQuota(node.id(), new Quota(wanted.nodes(), bytes)));
    }

    void summary(Request request) throws CrailException {
        Summary.Request wanted = Summary.Request.decode(request.control());
        Node node = paths.existing(request, wanted.path());
        Totals below = node instanceof ContainerNode container ? container.below() : new Totals();
        ClassBytes bytes = below.byClass();
        bytes.add(core.state().tree().blocksOf(node), 1);
        long directories = below.directories();
        long files = below.files();
        long tables = below.tables();
        switch (node.type()) {
            case DIRECTORY, MULTIFILE -> directories++;
            case FILE -> files++;
            case TABLE -> tables++;
            default -> throw new WrongNodeTypeException("no summary of a " + node.type());
        }
        new Summary.Reply(
                        directories,
                        files,
                        tables,
                        below.keyValues(),
                        below.length() + node.length(),
                        below.allocated() + node.allocated(),
                        node.quota().nodes(),
                        classes(node.quota(), bytes))
                .encode(request.beginReply());
        core.endReply(request.connection());
    }

    private static List<Summary.ClassUse> classes(Quota quota, ClassBytes bytes) {
        SortedMap<Integer, Long> used = new TreeMap<>();
        for (int storageClass : bytes.classes()) {
            used.put(storageClass, bytes.of(storageClass));
        }
        for (int storageClass : quota.bytes().keySet()) {
            used.putIfAbsent(storageClass, storageClass == Quota.ALL_CLASSES ? bytes.sum() : 0);
        }
        List<Summary.ClassUse> classes = new ArrayList<>();
        used.forEach(
                (storageClass, allocated) ->
                        classes.add(
                                new Summary.ClassUse(
                                        storageClass,
                                        allocated,
                                        quota.bytes().getOrDefault(storageClass, Quota.NO_LIMIT))));
        return classes;
    }
}
