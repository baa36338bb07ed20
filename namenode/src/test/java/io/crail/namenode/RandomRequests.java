// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import io.crail.protocol.block.BlockId;
import io.crail.protocol.block.CommittedExtent;
import io.crail.protocol.message.Abandon;
import io.crail.protocol.message.AwaitCommands;
import io.crail.protocol.message.AwaitLength;
import io.crail.protocol.message.BlocksFreed;
import io.crail.protocol.message.Commit;
import io.crail.protocol.message.Concat;
import io.crail.protocol.message.Create;
import io.crail.protocol.message.Delete;
import io.crail.protocol.message.Get;
import io.crail.protocol.message.GetExtents;
import io.crail.protocol.message.GetXattrs;
import io.crail.protocol.message.Grant;
import io.crail.protocol.message.Heartbeat;
import io.crail.protocol.message.KeepAlive;
import io.crail.protocol.message.ListEntries;
import io.crail.protocol.message.Lookup;
import io.crail.protocol.message.Message;
import io.crail.protocol.message.MultiGet;
import io.crail.protocol.message.MultiPut;
import io.crail.protocol.message.Open;
import io.crail.protocol.message.OpenMembers;
import io.crail.protocol.message.Put;
import io.crail.protocol.message.RegisterSegment;
import io.crail.protocol.message.RegisterServer;
import io.crail.protocol.message.Remove;
import io.crail.protocol.message.Rename;
import io.crail.protocol.message.Scan;
import io.crail.protocol.message.ServerTable;
import io.crail.protocol.message.SetAttributes;
import io.crail.protocol.message.SetQuota;
import io.crail.protocol.message.SetXattr;
import io.crail.protocol.message.Statistics;
import io.crail.protocol.message.StreamAppend;
import io.crail.protocol.message.StreamCreate;
import io.crail.protocol.message.StreamExtents;
import io.crail.protocol.message.StreamTrim;
import io.crail.protocol.message.Summary;
import io.crail.protocol.message.Truncate;
import io.crail.protocol.node.NodeType;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;

/** Requests whose fields make sense one by one, and rarely together. */
final class RandomRequests {
    private final Random random;

    RandomRequests(Random random) {
        this.random = random;
    }

    private long number() {
        return random.nextInt(10) == 0 ? random.nextLong() >>> 1 : random.nextInt(40);
    }

    private long lifetime() {
        return random.nextInt(3) == 0 ? number() : -1;
    }

    private byte[] path() {
        String[] paths = {"/", "/a", "/a/b", "/t", "/t/x", "/f", "/..", "/f/x", "x", ""};
        return TestSession.bytes(paths[random.nextInt(paths.length)]);
    }

    private String name() {
        String[] names = {"user.a", "trusted.b", "user.", "", "system.c", "user.\0"};
        return names[random.nextInt(names.length)];
    }

    private byte[] key() {
        return TestSession.bytes("k" + random.nextInt(5));
    }

    private BlockId block() {
        return new BlockId(random.nextInt(4), random.nextInt(2), random.nextInt(3000));
    }

    private List<CommittedExtent> extents() {
        List<CommittedExtent> extents = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            extents.add(
                    new CommittedExtent(
                            block(), 1 + random.nextInt(1 << 20), random.nextInt(2), number()));
        }
        return extents;
    }

    private List<BlockId> blocks() {
        return random.nextBoolean() ? List.of() : List.of(block(), block());
    }

    /** What a client may ask. */
    Message fromClient() {
        return switch (random.nextInt(32)) {
            case 28, 29 -> append();
            case 30 ->
                    new StreamExtents.Request(
                            number(),
                            number(),
                            random.nextInt(3),
                            random.nextInt(100),
                            random.nextInt(1 << 20),
                            random.nextInt(100));
            case 31 ->
                    random.nextBoolean()
                            ? new StreamTrim.Request(number(), number())
                            : new StreamCreate.Request(number(), number(), number(), create());
            case 0 ->
                    random.nextBoolean()
                            ? new Lookup.Request(path(), random.nextInt(3))
                            : new Lookup.Request(number(), random.nextInt(3));
            case 1, 2 -> create();
            case 3 -> new Delete.Request(path(), random.nextInt(10) == 0);
            case 4 ->
                    switch (random.nextInt(3)) {
                        case 0 -> new Rename.Request(path(), path(), random.nextInt(3));
                        case 1 ->
                                new Concat.Request(
                                        path(),
                                        List.of(
                                                new Concat.Source(path()),
                                                new Concat.Source(path())));
                        default ->
                                new Truncate.Request(path(), number(), random.nextInt(2), number());
                    };
            case 5 ->
                    new ListEntries.Request(path(), key(), random.nextInt(2000), random.nextInt(4));
            case 6 ->
                    new SetAttributes.Request(
                            path(), random.nextInt(512), 0, 300, -1, -1, lifetime(), "o", "g");
            case 7 -> new Summary.Request(path());
            case 8 -> new Open.Request(path(), random.nextInt(4), random.nextInt(2) * number());
            case 9 -> new Open.Request(new byte[0], random.nextInt(4), 0, number());
            case 10 -> new GetExtents.Request(number(), number(), number(), random.nextInt(100));
            case 11 -> grant();
            case 12 ->
                    new Commit.Request(
                            number(), number(), number(), random.nextInt(3), extents(), blocks());
            case 13 -> new Abandon.Request(number(), number(), random.nextBoolean());
            case 14 -> new AwaitLength.Request(number(), 0, number(), random.nextInt(100));
            case 15 -> new Get.Request(path(), key(), 0);
            case 16, 17 -> put();
            case 18 -> new Remove.Request(path(), key(), random.nextInt(4), number());
            case 19 -> new Scan.Request(path(), key(), random.nextInt(2000), random.nextInt(3));
            case 20 -> new KeepAlive.Request(new long[] {number(), number()}, blocks());
            case 21 -> openMembers();
            case 22 ->
                    new MultiGet.Request(
                            path(), List.of(new MultiGet.Key(key()), new MultiGet.Key(path())), 0);
            case 23 -> multiPut();
            case 24 -> new SetXattr.Request(path(), name(), random.nextInt(8), key());
            case 25 ->
                    new SetQuota.Request(
                            path(),
                            number() - 1,
                            List.of(
                                    new SetQuota.ClassLimit(random.nextInt(300), number()),
                                    new SetQuota.ClassLimit(random.nextInt(2), number())));
            case 26 -> new GetXattrs.Request(path(), name(), random.nextInt(3));
            default ->
                    random.nextBoolean()
                            ? new ServerTable.Request(number())
                            : new Statistics.Request();
        };
    }

    private Message append() {
        return new StreamAppend.Request(
                number(),
                random.nextInt(4),
                extents(),
                blocks(),
                random.nextInt(100),
                random.nextInt(1 << 21),
                new int[random.nextInt(3)]);
    }

    private Create.Request create() {
        NodeType[] types = NodeType.values();
        return new Create.Request(
                path(),
                types[random.nextInt(types.length)],
                random.nextInt(64),
                random.nextInt(1 << 16),
                random.nextInt(3) == 0 ? random.nextInt(1 << 16) : Create.INHERIT,
                lifetime(),
                random.nextInt(3) * number(),
                random.nextBoolean(),
                "",
                "",
                "");
    }

    private Message grant() {
        return new Grant.Request(
                random.nextInt(2) * number(),
                number(),
                path(),
                number(),
                random.nextBoolean(),
                new int[random.nextInt(3)]);
    }

    private Message put() {
        return new Put.Request(
                path(),
                key(),
                random.nextInt(4),
                number(),
                lifetime(),
                random.nextInt(4),
                extents(),
                blocks(),
                random.nextInt(3) * number(),
                new int[random.nextInt(3)]);
    }

    private Message openMembers() {
        return new OpenMembers.Request(
                path(),
                random.nextInt(3) * number(),
                number(),
                random.nextBoolean() ? TestSession.NOTHING : key(),
                random.nextInt(2000),
                random.nextInt(256),
                random.nextInt(3));
    }

    private Message multiPut() {
        return new MultiPut.Request(
                path(),
                List.of(
                        new MultiPut.Entry(key(), random.nextInt(4), number(), -1, 0),
                        new MultiPut.Entry(path(), 0, 0, -random.nextInt(3), random.nextInt(2))));
    }

    /** What a storage server may ask. */
    Message fromStorage() {
        int server = 1 + random.nextInt(4);
        return switch (random.nextInt(6)) {
            case 0 -> new Heartbeat.Request(server, 0, 0, 0, 0);
            case 1 -> new AwaitCommands.Request(server, random.nextInt(100));
            case 2 ->
                    new BlocksFreed.Request(
                            server,
                            List.of(
                                    new BlocksFreed.Freed(
                                            random.nextInt(2),
                                            random.nextInt(3000),
                                            4096 << random.nextInt(9),
                                            (5L << 32) | random.nextInt(100))),
                            List.of(
                                    new BlocksFreed.Freed(
                                            random.nextInt(2),
                                            random.nextInt(3000),
                                            4096 << random.nextInt(9),
                                            (5L << 32) | random.nextInt(100))));
            case 3 ->
                    new RegisterServer.Request(
                            new UUID(2, random.nextInt(3)),
                            "fuzz",
                            "dram",
                            200,
                            "",
                            List.of(new ServerTable.Endpoint("tcp", "fuzz", 1)),
                            "",
                            "",
                            random.nextBoolean() ? 4096 : random.nextInt());
            default ->
                    new RegisterSegment.Request(
                            server,
                            random.nextInt(3),
                            1 + random.nextInt(2),
                            (1L + random.nextInt(3)) << 20,
                            random.nextInt(3) * 256,
                            random.nextBoolean(),
                            List.of(
                                    new RegisterSegment.Run(
                                            random.nextInt(800), random.nextInt(10))));
        };
    }
}
