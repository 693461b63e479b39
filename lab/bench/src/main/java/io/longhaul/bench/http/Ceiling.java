// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench.http;

import io.longhaul.bench.run.BenchSettings;
import io.longhaul.bench.run.ChildProcess;
import io.longhaul.bench.run.Figure;

/** The most that the load generator can measure of any server. */
public final class Ceiling {

    private Ceiling() {}

    /** Gives the number of requests per second that the load generator sends to a server of almost no cost. */
    public static double measure(BenchSettings settings) throws Exception {
        MeasuredStart none = folder -> ChildProcess.start(BenchSettings.classPath(), NullServer.class);
        var load = new Load("ceiling", "", Workload.BARE, none, false, settings.withoutPicture());
        return load.measure().getFirst().figures().get(Figure.RATE);
    }
}
