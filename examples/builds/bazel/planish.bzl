"""A rule that makes one optimized jar of Java targets or jars and everything that they need at run time.

The command is a persistent worker: a build of many jars starts it once for each core. On an executor that has no workers
Bazel calls it like any other tool, with the same arguments.
"""

def _optimized_jar(ctx):
    # Java targets say what they need at run time; anything else is taken for the jars that it makes.
    jars = depset(transitive = [
        dep[JavaInfo].transitive_runtime_jars if JavaInfo in dep else dep[DefaultInfo].files
        for dep in ctx.attr.deps
    ])
    out = ctx.actions.declare_file(ctx.label.name + ".jar")

    # A worker gets what differs between requests in a file, whose name is the last argument.
    request = ctx.actions.args()
    request.use_param_file("@%s", use_always = True)
    request.set_param_file_format("multiline")
    request.add_all(jars)
    request.add("-o", out)
    request.add("--main", ctx.attr.main_class)
    request.add_all(ctx.files.keep, before_each = "--keep")
    ctx.actions.run(
        executable = ctx.executable.planish,
        arguments = ["opt", request],
        inputs = depset(ctx.files.keep, transitive = [jars]),
        outputs = [out],
        mnemonic = "Planish",
        progress_message = "Optimizing %s" % out.short_path,
        execution_requirements = {
            "supports-workers": "1",
            "requires-worker-protocol": "json",
        },
    )
    return [DefaultInfo(files = depset([out]))]

optimized_jar = rule(
    implementation = _optimized_jar,
    attrs = {
        "deps": attr.label_list(allow_files = [".jar"], mandatory = True),
        "main_class": attr.string(mandatory = True),
        "keep": attr.label_list(allow_files = [".pro"]),
        "planish": attr.label(default = "//tools:planish", executable = True, cfg = "exec", allow_single_file = True),
    },
)
