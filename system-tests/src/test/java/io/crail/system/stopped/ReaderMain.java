// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.stopped;

import io.crail.client.CrailClient;
import io.crail.client.CrailFile;
import io.crail.client.CrailInputStream;
import io.crail.client.CrailView;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;

/**
 * Looks at a file over and over, and compares each byte. Told to finish, it looks some more times.
 *
 * <p>Commands: session timeout, path, round, and how to look. Answers: {@code right}, {@code
 * failed} and the error, {@code wrong} and what it saw.
 */
final class ReaderMain {
    static final int ROLE = 2;

    /** How to look at the file. */
    enum Way {
        /** One view, opened before and looked at again and again, of a file that is closed. */
        VIEW,
        /** A view of another part each time, of a file that is open. */
        VIEWS,
        /** Positional reads. */
        READ,
        /** A stream from the start to the end, with read-ahead. */
        STREAM
    }

    private static final int LOOKS_AT_THE_END = 3;

    private final Orders orders;
    private final Board board;
    private final Random random = new Random(2);

    private ReaderMain(Orders orders) {
        this.orders = orders;
        this.board = orders.board();
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        Orders orders = new Orders(args);
        ReaderMain reader = new ReaderMain(orders);
        orders.carryOut((client, words, board) -> reader.run(client, words));
    }

    private String run(CrailClient client, String[] words) {
        long stamp = Stamped.stamp(Integer.parseInt(words[2]), ROLE, 0);
        try {
            CrailFile file = client.open(words[1]);
            switch (Way.valueOf(words[3])) {
                case VIEW -> {
                    try (CrailView view = file.view(0, file.length())) {
                        file.close();
                        lookOnAndOn(stamp, () -> look(view, stamp, 0));
                    }
                }
                case VIEWS -> lookOnAndOn(stamp, () -> lookThroughAView(file, stamp));
                case READ -> lookOnAndOn(stamp, () -> read(file, stamp));
                case STREAM -> lookOnAndOn(stamp, () -> stream(file, stamp));
            }
            return "right";
        } catch (IOException e) {
            board.idle();
            return "failed " + e.getClass().getSimpleName();
        } catch (AssertionError e) {
            board.idle();
            return "wrong " + e.getMessage();
        }
    }

    @FunctionalInterface
    private interface Look {
        void run() throws IOException;
    }

    private void lookOnAndOn(long stamp, Look look) throws IOException {
        look.run();
        board.busy(stamp);
        while (!orders.toFinish()) {
            look.run();
            board.step();
        }
        for (int i = 0; i < LOOKS_AT_THE_END; i++) {
            look.run();
        }
    }

    private static void look(CrailView view, long stamp, long from) throws IOException {
        long position = from;
        for (ByteBuffer buffer : view.buffers()) {
            int length = buffer.remaining();
            Stamped.check("view", buffer, stamp, position);
            position += length;
        }
    }

    private void lookThroughAView(CrailFile file, long stamp) throws IOException {
        int from = random.nextInt((int) file.length());
        try (CrailView view = file.view(from, 1 + random.nextInt((int) file.length() - from))) {
            look(view, stamp, from);
            look(view, stamp, from);
        }
    }

    private void read(CrailFile file, long stamp) throws IOException {
        int from = random.nextInt((int) file.length());
        int length = 1 + random.nextInt((int) file.length() - from);
        ByteBuffer target =
                random.nextBoolean()
                        ? ByteBuffer.allocate(length)
                        : ByteBuffer.allocateDirect(length);
        file.readFully(from, target);
        Stamped.check("read", target.flip(), stamp, from);
    }

    private void stream(CrailFile file, long stamp) throws IOException {
        byte[] piece = new byte[100_000];
        try (CrailInputStream in = file.newInputStream()) {
            long position = 0;
            int count = in.read(piece);
            while (count >= 0) {
                Stamped.check("stream", ByteBuffer.wrap(piece, 0, count), stamp, position);
                position += count;
                count = in.read(piece, 0, 1 + random.nextInt(piece.length));
            }
            if (position != file.length()) {
                throw new AssertionError("the stream ended at " + position);
            }
        }
    }
}
