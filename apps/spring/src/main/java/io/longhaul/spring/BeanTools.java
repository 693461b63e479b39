// SPDX-License-Identifier: Apache-2.0
package io.longhaul.spring;

import io.longhaul.receiver.observe.ServerObserver;
import io.longhaul.server.CallInterceptor;
import io.longhaul.server.McpServerBuilder;
import io.longhaul.server.Prompt;
import io.longhaul.server.Resource;
import io.longhaul.server.ResourceTemplate;
import io.longhaul.server.ServerMonitor;
import io.longhaul.server.Tool;
import io.longhaul.server.annotation.McpTool;
import java.lang.annotation.Annotation;
import java.util.List;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;

/**
 * Adds the beans of an application to its MCP server.
 *
 * @param beans the beans of the application
 */
record BeanTools(ConfigurableListableBeanFactory beans) {

    /** Adds every bean with a type or an annotation of Longhaul, in the order of the beans. */
    void addTo(McpServerBuilder server) {
        having(McpTool.class).forEach(server::toolsOf);
        all(Tool.class).forEach(server::tool);
        all(Resource.class).forEach(server::resource);
        all(ResourceTemplate.class).forEach(server::resourceTemplate);
        all(Prompt.class).forEach(server::prompt);
        all(CallInterceptor.class).forEach(server::intercept);
        all(ServerObserver.class).forEach(server::observer);
        all(ServerMonitor.class).forEach(server::monitor);
    }

    private <T> List<T> all(Class<T> type) {
        return beans.getBeanProvider(type).orderedStream().toList();
    }

    /** The beans with a method that has the annotation {@code mark}. The search creates no other beans. */
    List<Object> having(Class<? extends Annotation> mark) {
        return List.of(beans.getBeanNamesForType(Object.class, false, false)).stream()
                .filter(name -> !ScopedProxyUtils.isScopedTarget(name))
                .filter(name -> isMarked(name, mark))
                .map(beans::getBean)
                .toList();
    }

    private boolean isMarked(String name, Class<? extends Annotation> mark) {
        var type = AutoProxyUtils.determineTargetClass(beans, name);
        return type != null
                && !MethodIntrospector.selectMethods(type, (MethodIntrospector.MetadataLookup<Boolean>)
                                method -> AnnotatedElementUtils.hasAnnotation(method, mark) ? true : null)
                        .isEmpty();
    }
}
