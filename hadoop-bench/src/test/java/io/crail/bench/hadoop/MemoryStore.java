// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.hadoop;

import java.io.FileNotFoundException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;

/** A store of byte arrays, which can lose some. */
final class MemoryStore implements Store {
    private static final byte[] NOTHING = {};

    private final ConcurrentSkipListMap<String, byte[]> nodes = new ConcurrentSkipListMap<>();
    private final List<Long> asked = new ArrayList<>();

    boolean isEmpty() {
        return nodes.isEmpty();
    }

    /** Takes a node away, and all content. */
    void spoil() {
        nodes.pollLastEntry();
        nodes.replaceAll((path, content) -> NOTHING);
    }

    /** Positions of vectored reads. */
    List<Long> asked() {
        return asked;
    }

    private byte[] content(String path) throws FileNotFoundException {
        byte[] content = nodes.get(path);
        if (content == null) {
            throw new FileNotFoundException(path);
        }
        return content;
    }

    @Override
    public void stat(String path) throws FileNotFoundException {
        content(path);
    }

    @Override
    public void mkdirs(String path) {
        nodes.put(path, NOTHING);
    }

    @Override
    public void create(String path) {
        nodes.put(path, NOTHING);
    }

    @Override
    public void write(String path, byte[] buffer, long bytes) {
        byte[] content = new byte[Math.toIntExact(bytes)];
        for (int i = 0; i < content.length; i++) {
            content[i] = buffer[i % buffer.length];
        }
        nodes.put(path, content);
    }

    @Override
    public long read(String path, byte[] buffer) {
        return nodes.getOrDefault(path, NOTHING).length;
    }

    @Override
    public int list(String path) {
        return nodes.subMap(path + "/", path + "0").size();
    }

    @Override
    public void remove(String path) {
        nodes.keySet().removeIf(each -> each.equals(path) || each.startsWith(path + "/"));
    }

    @Override
    public Places open(String path) throws FileNotFoundException {
        content(path);
        return new Places() {
            @Override
            public void read(long position, byte[] buffer) {
                byte[] content = nodes.getOrDefault(path, NOTHING);
                int from = (int) Math.min(position, content.length);
                Arrays.fill(buffer, (byte) -1);
                System.arraycopy(
                        content, from, buffer, 0, Math.min(buffer.length, content.length - from));
            }

            @Override
            public void readVectored(List<Long> positions, int length) {
                asked.addAll(positions);
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public void close() {}
}
