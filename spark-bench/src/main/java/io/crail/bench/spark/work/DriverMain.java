// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.spark.work;

import io.crail.bench.spark.Conversation;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.apache.spark.SparkConf;

/**
 * The driver of an application: {@code DIRECTORY TEMPORARY KEY=VALUE...}, where its files and the
 * temporary ones of its JVMs are, and the settings of Spark.
 *
 * <p>It does what the lines of its standard input say ({@link Conversation}). When the input ends,
 * for whatever reason, also in the middle of a job, its executors are ended, both directories are
 * removed, and it ends. So nothing stays when a benchmark is killed.
 */
public final class DriverMain {
    private static final int LINES = 16;
    private static final int DIRECTORIES = 2;
    private static final int USAGE = 64;
    private static final int FAILED = 1;

    private DriverMain() {}

    /** Works until standard input ends. */
    public static void main(String[] arguments) {
        if (arguments.length < DIRECTORIES) {
            System.err.println("usage: DIRECTORY TEMPORARY [KEY=VALUE...]");
            Runtime.getRuntime().halt(USAGE);
        }
        List<String> all = Arrays.asList(arguments);
        Remains remains = new Remains(all.subList(0, DIRECTORIES).stream().map(Path::of).toList());
        // A signal ends it as well as its input does.
        Runtime.getRuntime().addShutdownHook(new Thread(remains::remove, "end by signal"));
        BlockingQueue<String> lines = new ArrayBlockingQueue<>(LINES);
        Thread input = new Thread(() -> read(lines, remains), "standard input");
        input.setDaemon(true);
        input.start();
        try {
            work(settings(all.subList(DIRECTORIES, all.size())), lines, remains);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Throwable e) {
            if (remains.isBeingRemoved()) {
                // A job that fails since its application is being stopped: that goes on.
                return;
            }
            // Scala throws what it likes. The directory holds what tells why; whoever waits for
            // this process removes it.
            e.printStackTrace();
            say(Conversation.FAILED + " " + reason(e));
            Runtime.getRuntime().halt(FAILED);
        }
    }

    private static SparkConf settings(List<String> arguments) {
        SparkConf conf = new SparkConf(false);
        for (String argument : arguments) {
            int sign = argument.indexOf('=');
            conf.set(argument.substring(0, sign), argument.substring(sign + 1));
        }
        return conf;
    }

    private static void work(SparkConf conf, BlockingQueue<String> lines, Remains remains)
            throws InterruptedException {
        Session session = Session.start(conf);
        remains.stopFirst(session::close);
        say(Conversation.READY);
        while (true) {
            say(session.answer(lines.take()));
        }
    }

    private static void read(BlockingQueue<String> lines, Remains remains) {
        try (BufferedReader in =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                lines.put(line);
            }
        } catch (IOException e) {
            // Whoever talked to this process is gone.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        remains.remove();
        Runtime.getRuntime().halt(0);
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }

    /** In one line; the whole is in the log. */
    private static String reason(Throwable e) {
        return e.toString().lines().findFirst().orElse("").strip();
    }
}
