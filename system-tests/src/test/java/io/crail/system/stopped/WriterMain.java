// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.stopped;

import io.crail.client.CrailClient;
import io.crail.client.CrailOutputStream;
import io.crail.client.CreateOptions;
import io.crail.error.CrailException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;

/**
 * Writes a file over and over: a first part that is committed, then pieces of all sizes, and before
 * it gets too long the same from the start, in another stream. Told to finish, it writes some more
 * and closes the stream.
 *
 * <p>Commands: session timeout, path, round. Answers: {@code closed} and the length, or {@code
 * failed}, the error, and the error of trying to commit in spite of it.
 */
final class WriterMain {
    static final int ROLE = 1;

    /** Longest file. */
    private static final int LIMIT = 6 << 20;

    private static final int FIRST = 700_000;
    private static final int PIECES_AT_THE_END = 4;

    private final Orders orders;
    private final Board board;
    private final ByteBuffer source = ByteBuffer.allocateDirect(LIMIT + (2 << 20));
    private final Random random = new Random(1);

    private WriterMain(Orders orders) {
        this.orders = orders;
        this.board = orders.board();
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        Orders orders = new Orders(args);
        WriterMain writer = new WriterMain(orders);
        orders.carryOut((client, words, board) -> writer.run(client, words));
    }

    private String run(CrailClient client, String[] words) throws IOException {
        String path = words[1];
        for (int attempt = 0; ; attempt++) {
            long stamp = Stamped.stamp(Integer.parseInt(words[2]), ROLE, attempt);
            Stamped.fill(source.clear(), stamp, 0);
            CrailOutputStream out = client.createFile(path, CreateOptions.OVERWRITE);
            try {
                append(out, 1 + random.nextInt(FIRST));
                out.sync();
                board.synced(out.committedLength());
                board.busy(stamp);
                if (writeOn(out)) {
                    out.close();
                    return "closed " + out.committedLength();
                }
                board.idle();
                // Before it begins anew: whoever lost the file hears of it here.
                out.sync();
            } catch (CrailException e) {
                board.idle();
                return "failed " + name(e) + " " + commitInSpite(out);
            }
            out.abort();
        }
    }

    /** False if the file has got too long before it was told to finish. */
    private boolean writeOn(CrailOutputStream out) throws CrailException {
        while (out.position() < LIMIT) {
            append(out, piece());
            if (random.nextInt(12) == 0) {
                out.sync();
                board.synced(out.committedLength());
            }
            if (orders.toFinish()) {
                for (int i = 0; i < PIECES_AT_THE_END && out.position() < LIMIT; i++) {
                    append(out, piece());
                }
                return true;
            }
        }
        return false;
    }

    private int piece() {
        return switch (random.nextInt(8)) {
            case 0 -> 1 + random.nextInt(5_000);
            case 1 -> 4096 * (1 + random.nextInt(64));
            case 2 -> LIMIT; // As long as it may be.
            default -> 1 + random.nextInt(600_000);
        };
    }

    private void append(CrailOutputStream out, int wanted) throws CrailException {
        int from = (int) out.position();
        source.limit(Math.min(from + wanted, LIMIT)).position(from);
        out.append(source);
        board.step();
    }

    private static String commitInSpite(CrailOutputStream out) {
        try {
            out.sync();
            return "nothing";
        } catch (CrailException e) {
            out.abort();
            return name(e);
        }
    }

    private static String name(CrailException e) {
        return e.getClass().getSimpleName();
    }
}
