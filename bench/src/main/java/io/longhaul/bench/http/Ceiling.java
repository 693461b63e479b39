// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench.http;

import io.longhaul.bench.run.ChildProcess;
import io.longhaul.bench.run.Figure;
import io.longhaul.bench.run.Settings;

/** The most that the load generator can measure of any server. */
public final class Ceiling {

    private Ceiling() {}

    /** Gives how many requests a second it sends where a server costs next to nothing. */
    public static double measure(Settings settings) throws Exception {
        MeasuredStart none = folder -> ChildProcess.start(Settings.classPath(), NullServer.class);
        var load = new Load("ceiling", "", Workload.BARE, none, false, settings.withoutPicture());
        return load.measure().getFirst().figures().get(Figure.RATE);
    }
}
