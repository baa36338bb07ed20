// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.doctor;

import java.util.List;

/** Looks at one subject. Changes nothing; returns within a bounded time, whatever it finds. */
interface Check {
    /** The subject, in few words. */
    String subject();

    /** What was found; at least one thing. */
    List<Finding> look();
}
