// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.hadoop.command;

import io.crail.error.InvalidArgumentException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FsShell;
import org.apache.hadoop.tools.DistCp;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/** Runs a command of Hadoop. */
public final class HadoopMain {
    private static final int USAGE = 64;
    private static final int FAILED = 1;

    private static final String HELP =
            """
            usage: crail hadoop COMMAND [ARGUMENT...]

              fs       the file system shell: 'crail hadoop fs -ls /', '-put', '-cat', '-du', ...
              dfs      the same
              distcp   copies trees: 'crail hadoop distcp file:///data crail://host:9060/data'

            Paths without a scheme are those of the cluster that $CRAIL_NAMENODE or crail's
            configuration names, else of the local cluster that runs. Other settings of Hadoop come
            from the files in $HADOOP_CONF_DIR, and from '-D key=value'.
            """;

    private HadoopMain() {}

    /**
     * Ends the JVM with the status of the command.
     *
     * @param arguments the command and its arguments
     */
    public static void main(String[] arguments) {
        System.exit(run(List.of(arguments), System.getenv()));
    }

    /**
     * Runs a command.
     *
     * @return its status: 0, or why it failed
     */
    static int run(List<String> arguments, Map<String, String> environment) {
        String command = arguments.isEmpty() ? "" : arguments.get(0);
        if (List.of("-h", "--help", "help").contains(command)) {
            System.out.print(HELP);
            return 0;
        }
        try {
            Configuration configuration =
                    CommandConfiguration.of(
                            environment, Path.of(System.getProperty("crail.home", ".")));
            List<String> rest = arguments.subList(Math.min(1, arguments.size()), arguments.size());
            return switch (command) {
                case "fs", "dfs" -> run(FsShell::new, configuration, rest);
                case "distcp" -> run(any -> new DistCp(any, null), configuration, rest);
                default -> unknown(command);
            };
        } catch (InvalidArgumentException e) {
            System.err.println("crail hadoop: " + e.getMessage());
            return USAGE;
        }
    }

    private static int unknown(String command) {
        System.err.println(
                "crail hadoop: " + (command.isEmpty() ? "no command" : "no command " + command));
        System.err.print(HELP);
        return USAGE;
    }

    /** Makes a tool of Hadoop; those declare that anything may go wrong. */
    @FunctionalInterface
    private interface Maker {
        Tool make(Configuration configuration) throws Exception;
    }

    private static int run(Maker maker, Configuration configuration, List<String> arguments) {
        try {
            return ToolRunner.run(
                    configuration, maker.make(configuration), arguments.toArray(String[]::new));
        } catch (Exception e) { // that is what tools declare
            System.err.println("crail hadoop: " + e);
            return FAILED;
        }
    }
}
