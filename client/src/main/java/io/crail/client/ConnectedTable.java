// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import io.crail.client.engine.Operation;
import io.crail.client.file.Values;
import io.crail.error.ConditionFailedException;
import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.protocol.message.Conditions;
import io.crail.protocol.message.Get;
import io.crail.protocol.message.Put;
import io.crail.protocol.message.Remove;
import io.crail.protocol.message.Scan;
import io.crail.protocol.node.Names;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** A table of a connected client. */
final class ConnectedTable implements CrailTable {
    private static final int PAGE = 1024;

    private final ClientCore core;
    private final Caller caller;
    private final String path;
    private final byte[] encodedPath;

    ConnectedTable(ClientCore core, Caller caller, String path, byte[] encodedPath) {
        this.core = core;
        this.caller = caller;
        this.path = path;
        this.encodedPath = encodedPath;
    }

    @Override
    public String path() {
        return path;
    }

    private static byte[] checked(byte[] key) throws CrailException {
        Names.checkKey(key.length);
        return key.clone();
    }

    @Override
    public long put(byte[] key, ByteBuffer value, PutOptions options) throws CrailException {
        return caller.call("put into ", path, op -> put(op, key, value, options));
    }

    @Override
    public CrailFuture<Long> putAsync(byte[] key, ByteBuffer value, PutOptions options) {
        return caller.begin("put into ", path, op -> put(op, key, value, options));
    }

    private CompletableFuture<Long> put(
            Operation operation, byte[] key, ByteBuffer value, PutOptions options)
            throws CrailException {
        return core.values().put(operation, putRequest(key, options), value);
    }

    private Put.Request putRequest(byte[] key, PutOptions options) throws CrailException {
        int condition =
                switch (options.condition()) {
                    case ALWAYS -> Conditions.NONE;
                    case IF_ABSENT -> Conditions.IF_ABSENT;
                    case IF_VERSION -> Conditions.IF_VERSION;
                };
        return new Put.Request(
                encodedPath,
                checked(key),
                condition,
                options.expectedVersion(),
                options.lifetime().isZero() ? -1 : options.lifetime().toMillis(),
                Get.INLINE,
                List.of(),
                List.of());
    }

    @Override
    public List<PutResult> multiPut(Collection<PutEntry> entries) throws CrailException {
        return caller.call("put into ", path, op -> putMany(op, entries));
    }

    @Override
    public CrailFuture<List<PutResult>> multiPutAsync(Collection<PutEntry> entries) {
        return caller.begin("put into ", path, op -> putMany(op, entries));
    }

    private CompletableFuture<List<PutResult>> putMany(
            Operation operation, Collection<PutEntry> entries) throws CrailException {
        List<Values.Item> items = new ArrayList<>(entries.size());
        for (PutEntry entry : entries) {
            items.add(
                    new Values.Item(
                            putRequest(entry.key(), entry.options()), entry.value().duplicate()));
        }
        return core.values()
                .putMany(
                        operation,
                        path,
                        items,
                        (version, failure) ->
                                failure.isPresent()
                                        ? new PutResult.Failed(failure.get())
                                        : new PutResult.Done(version));
    }

    @Override
    public List<GetResult> multiGet(Collection<byte[]> keys) throws CrailException {
        return caller.call("get from ", path, op -> getMany(op, keys));
    }

    @Override
    public CrailFuture<List<GetResult>> multiGetAsync(Collection<byte[]> keys) {
        return caller.begin("get from ", path, op -> getMany(op, keys));
    }

    private CompletableFuture<List<GetResult>> getMany(Operation operation, Collection<byte[]> keys)
            throws CrailException {
        List<byte[]> copies = new ArrayList<>(keys.size());
        for (byte[] key : keys) {
            copies.add(checked(key));
        }
        return core.values()
                .getMany(operation, encodedPath, path, copies, ConnectedTable::getResult);
    }

    private static GetResult getResult(
            Optional<Values.Found> found, Optional<CrailException> failure) {
        if (failure.isPresent()) {
            return new GetResult.Failed(failure.get());
        }
        return found.isPresent() ? new GetResult.Found(value(found.get())) : new GetResult.Absent();
    }

    @Override
    public Optional<Long> putIfAbsent(byte[] key, ByteBuffer value) throws CrailException {
        return conditional(key, value, PutOptions.IF_ABSENT);
    }

    @Override
    public Optional<Long> putIfVersion(byte[] key, ByteBuffer value, long version)
            throws CrailException {
        return conditional(key, value, PutOptions.ifVersion(version));
    }

    private Optional<Long> conditional(byte[] key, ByteBuffer value, PutOptions options)
            throws CrailException {
        try {
            return Optional.of(put(key, value, options));
        } catch (ConditionFailedException e) {
            return Optional.empty();
        }
    }

    @Override
    public Optional<Value> get(byte[] key) throws CrailException {
        return caller.call("get from ", path, op -> get(op, key));
    }

    @Override
    public CrailFuture<Optional<Value>> getAsync(byte[] key) {
        return caller.begin("get from ", path, op -> get(op, key));
    }

    private CompletableFuture<Optional<Value>> get(Operation operation, byte[] key)
            throws CrailException {
        return core.values()
                .get(
                        operation,
                        new Get.Request(encodedPath, checked(key), 0),
                        path,
                        ByteBuffer::allocate)
                .thenApply(found -> found.map(ConnectedTable::value));
    }

    private static Value value(Values.Found found) {
        return new Value(
                found.bytes().asReadOnlyBuffer(),
                found.version(),
                found.modifiedMillis(),
                found.remainingMillis());
    }

    @Override
    public long getInto(byte[] key, ByteBuffer target) throws CrailException {
        return caller.call("get from ", path, op -> getInto(op, key, target));
    }

    @Override
    public CrailFuture<Long> getIntoAsync(byte[] key, ByteBuffer target) {
        return caller.begin("get from ", path, op -> getInto(op, key, target));
    }

    private CompletableFuture<Long> getInto(Operation operation, byte[] key, ByteBuffer target)
            throws CrailException {
        return core.values()
                .get(
                        operation,
                        new Get.Request(encodedPath, checked(key), 0),
                        path,
                        length -> {
                            if (length > target.remaining()) {
                                throw new InvalidArgumentException(
                                        "get from "
                                                + path
                                                + ": the value has "
                                                + length
                                                + " bytes, the buffer room for "
                                                + target.remaining());
                            }
                            return target.duplicate();
                        })
                .thenApply(
                        found -> {
                            if (found.isEmpty()) {
                                return -1L;
                            }
                            int length = found.get().length();
                            target.position(target.position() + length);
                            return (long) length;
                        });
    }

    @Override
    public Optional<CrailView> getView(byte[] key) throws CrailException {
        String viewing = "view a value of " + path;
        return caller.call(
                        viewing,
                        op ->
                                core.values()
                                        .view(
                                                op,
                                                core.views(),
                                                new Get.Request(encodedPath, checked(key), 0),
                                                path))
                .map(held -> core.view(viewing, held));
    }

    @Override
    public boolean remove(byte[] key) throws CrailException {
        return caller.call("remove from ", path, op -> remove(op, key, Conditions.NONE, 0));
    }

    @Override
    public CrailFuture<Boolean> removeAsync(byte[] key) {
        return caller.begin("remove from ", path, op -> remove(op, key, Conditions.NONE, 0));
    }

    @Override
    public boolean removeIfVersion(byte[] key, long version) throws CrailException {
        return caller.call(
                "remove from ", path, op -> remove(op, key, Conditions.IF_VERSION, version));
    }

    private CompletableFuture<Boolean> remove(
            Operation operation, byte[] key, int condition, long version) throws CrailException {
        return core.session()
                .call(operation, new Remove.Request(encodedPath, checked(key), condition, version))
                .thenApply(
                        reply -> {
                            try {
                                return Remove.Reply.decode(reply.control()).existed();
                            } catch (CrailException e) {
                                throw new CompletionException(e);
                            }
                        });
    }

    @Override
    public CrailIterator<TableEntry> scan(byte[] after, boolean values) throws CrailException {
        byte[] start = after.clone();
        return new Pages<>(last -> page(last == null ? start : last.key(), values));
    }

    private Pages.Page<TableEntry> page(byte[] cursor, boolean values) throws CrailException {
        Scan.Request request =
                new Scan.Request(
                        encodedPath,
                        cursor,
                        Math.min(PAGE, core.session().maxPage()),
                        values ? Scan.VALUES : 0);
        return caller.call(
                "scan ",
                path,
                op ->
                        core.session()
                                .call(op, request)
                                .thenApply(
                                        reply -> {
                                            try {
                                                return page(
                                                        Scan.Reply.decode(reply.control()), values);
                                            } catch (CrailException e) {
                                                throw new CompletionException(e);
                                            }
                                        }));
    }

    private static Pages.Page<TableEntry> page(Scan.Reply reply, boolean values) {
        List<TableEntry> entries = new ArrayList<>();
        for (Scan.Entry entry : reply.entries()) {
            Optional<ByteBuffer> value =
                    values && entry.inline()
                            ? Optional.of(ByteBuffer.wrap(entry.value()).asReadOnlyBuffer())
                            : Optional.empty();
            entries.add(
                    new TableEntry(
                            entry.key(),
                            entry.version(),
                            entry.length(),
                            entry.modifiedMillis(),
                            entry.remainingMillis(),
                            value));
        }
        return new Pages.Page<>(entries, reply.more());
    }

    @Override
    public CrailTable withDeadline(Duration deadline) {
        return new ConnectedTable(core, caller.withTimeout(deadline.toNanos()), path, encodedPath);
    }
}
