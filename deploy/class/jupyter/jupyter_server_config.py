"""The single-user servers: what a course needs, and no more memory than that."""

c = get_config()  # noqa: F821

# Messages between server and kernel go through files in the student's own folder. TCP ports, the
# default, are open to every account of the machine, and outputs are published on them without a
# question asked.
c.KernelManager.transport = "ipc"

c.ServerApp.jpserver_extensions = {
    "jupyter_lsp": False,
    "jupyter_server_terminals": False,
    "nbgitpuller": False,
}
c.ServerApp.terminals_enabled = False
c.FileContentsManager.delete_to_trash = False
c.LabApp.extension_manager = "readonly"
c.LabApp.news_url = None
c.MappingKernelManager.cull_idle_timeout = (
    3600  # a kernel that nobody asks; the notebook and its outputs stay
)
c.MappingKernelManager.cull_interval = 300
