// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.model;

import io.crail.protocol.node.NodeType;

/** Chooses what is done next. */
final class RandomOperations {
    private final ModelRun run;
    private final NameOperations names;
    private final FileOperations files;
    private final SpliceOperations splices;
    private final TableOperations tables;
    private final MultiFileOperations multiFiles;
    private final StreamOperations streams;
    private final LifetimeOperations lifetimes;

    RandomOperations(ModelRun run, LifetimeOperations lifetimes) {
        this.run = run;
        this.lifetimes = lifetimes;
        names = new NameOperations(run);
        files = new FileOperations(run);
        splices = new SpliceOperations(run);
        tables = new TableOperations(run);
        multiFiles = new MultiFileOperations(run);
        streams = new StreamOperations(run);
    }

    void next() throws Exception {
        run.nextOperation();
        int dice = run.random.nextInt(108);
        if (dice < 30) {
            names(dice);
        } else if (dice < 50) {
            files(dice - 30);
        } else if (dice < 72) {
            tables(dice - 50);
        } else if (dice < 81) {
            multiFiles(dice - 72);
        } else if (dice < 91) {
            streams(dice - 81);
        } else if (dice >= 100) {
            splices.next(run.random.nextInt(16));
        } else {
            lifetimes.next();
        }
    }

    private void names(int dice) throws Exception {
        switch (dice) {
            case 0, 1, 2, 3, 4, 5 -> names.make(NodeType.DIRECTORY);
            case 6, 7 -> names.make(NodeType.TABLE);
            case 8, 9 -> names.make(NodeType.MULTIFILE);
            case 10, 11 -> names.make(NodeType.STREAM);
            case 12, 13, 14 -> names.delete();
            case 15, 16, 17, 18 -> names.rename();
            case 19, 20 -> names.setMode();
            case 21, 22 -> names.setXattr();
            case 23 -> names.removeXattr();
            case 24 -> names.readXattrs();
            case 25, 26 -> names.lookup();
            case 27, 28 -> names.list();
            default -> {
                if (run.random.nextInt(4) == 0) {
                    names.replaceClient();
                }
            }
        }
    }

    private void files(int dice) throws Exception {
        if (dice < 7) {
            files.create();
        } else if (dice < 12) {
            files.append();
        } else {
            files.readRange();
        }
    }

    private void tables(int dice) throws Exception {
        if (dice < 7) {
            tables.put();
        } else if (dice < 9) {
            tables.putConditionally();
        } else if (dice < 15) {
            tables.get();
        } else if (dice < 17) {
            tables.remove();
        } else if (dice < 19) {
            tables.multiPut();
        } else {
            tables.multiGet();
        }
    }

    private void multiFiles(int dice) throws Exception {
        if (dice < 2) {
            multiFiles.add();
        } else if (dice < 5) {
            multiFiles.addUnnamed();
        } else {
            multiFiles.read();
        }
    }

    private void streams(int dice) throws Exception {
        if (dice < 5) {
            streams.append();
        } else if (dice < 6) {
            streams.trim();
        } else {
            streams.read();
        }
    }
}
