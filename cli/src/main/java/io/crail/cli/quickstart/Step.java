// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.quickstart;

import java.io.IOException;

/** One part of a run, about one thing that crail does. It checks whatever it gets back. */
interface Step {
    /** What it is about: told while it runs, and when it fails. */
    String subject();

    /** Does it, and adds what it has measured. */
    void run(Stage stage) throws IOException;

    /** Reads again what {@link #run} has stored, and compares; throws at the first difference. */
    default void verify(Stage stage) throws IOException {}
}
